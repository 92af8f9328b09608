/** Reads the details of a call. */
import { useEffect, useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { calls, readCall } from '../app/page-state.ts'

/** The details of a call, read again when it ends. The last call stays until the next one is there. */
export function useCall(number: number): { readonly call?: CallDetails; readonly problem?: string } {
  const [loaded, setLoaded] = useState<ReturnType<typeof useCall>>({})
  // Read, so that a change of the call is noticed.
  calls.all.value
  const outcome = calls.find(number)?.outcome
  useEffect(() => {
    let isWanted = true
    readCall(number)
      .catch((error: Error) => error.message)
      .then((read) => isWanted && setLoaded(typeof read === 'string' ? { problem: read } : { call: read }))
    return () => {
      isWanted = false
    }
  }, [number, outcome])
  return loaded
}
