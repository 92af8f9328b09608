/** Reads the details of a call. */
import { useEffect, useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { calls, readCall } from '../app/page-state.ts'

interface Loaded {
  readonly call?: CallDetails
  readonly problem?: string
}

/** The details of a call, read again when it ends. The last call stays until the next one is there. */
export function useCall(number: number): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({})
  // Read, so that a change of the call is noticed.
  calls.all.value
  const outcome = calls.find(number)?.outcome
  useEffect(() => {
    let isWanted = true
    const show = (next: Loaded): void => {
      if (isWanted) setLoaded(next)
    }
    readCall(number).then(
      (call) => show({ call }),
      (error: Error) => show({ problem: error.message }),
    )
    return () => {
      isWanted = false
    }
  }, [number, outcome])
  return loaded
}
