/**
 * The state that all views share, as signals: the connection to the mock, its status, and the calls; the actions and hooks
 * that change and load more; and which call is open.
 *
 * connection.ts fills the signals from the event stream, report-page.tsx from the report in its file.
 */
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { Hello, MockStatus, NowStatus } from '../../server/index.ts'
import { CallStore } from '../calls/call-store.ts'
import { embedded, findEmbeddedCall } from '../report/embedded.ts'
import { api, ControlApiError } from './control-api.ts'
import { say } from './messages.tsx'
import { navigate, pathTo, route } from './router.ts'

/** The state of the event stream. `refused`: the mock asks for its token. */
export const connection = signal<'connecting' | 'live' | 'lost' | 'refused'>('connecting')

/** The status of the mock; undefined until it is known. */
export const status = signal<MockStatus>()

/** The state of the mock, its limits and its timing; undefined until it is known. */
export const now = signal<NowStatus>()

/** The mock's clock beside the system clock. */
export const clock = signal<Hello>({ now: 0, time: 0 })

/** The calls of the journal, with the filter and the order of their list. */
export const calls = new CallStore()

/** Runs an action, and shows its error if it fails. */
export function act(action: () => Promise<void>): void {
  action().catch((error: Error) => {
    if (error instanceof ControlApiError && error.status === 401) connection.value = 'refused'
    else say(error.message, { isProblem: true })
  })
}

/** Runs an action when a component is shown, and when an input changes. */
export const useAct = (action: () => Promise<void>, inputs: readonly unknown[]): void =>
  useEffect(() => act(action), inputs)

/**
 * A value that is loaded when a component is shown, and when an input changes; undefined until then. The previous value
 * stays until the new one is loaded. A failure is shown as a notice.
 */
export function useLoaded<Value>(load: () => Promise<Value>, inputs: readonly unknown[]): Value | undefined {
  // In an object, because `setLoaded` would call a value that is a function.
  const [loaded, setLoaded] = useState<{ readonly value: Value }>()
  useEffect(() => {
    let isWanted = true
    act(async () => {
      const value = await load()
      if (isWanted) setLoaded({ value })
    })
    return () => {
      isWanted = false
    }
  }, inputs)
  return loaded?.value
}

/** Makes the mock enter a state of its scenario. */
export function enterState(state: string): void {
  act(async () => {
    await api.send('PUT', '/state', { state })
    say(`Entered the state ${state}.`)
  })
}

/** Reads the details of a call. @throws Error; its message is for the user. */
export const readCall = async (number: number): Promise<CallDetails> =>
  embedded === undefined ? api.read(`/journal/${number}`) : findEmbeddedCall(embedded, number)

/** The details of a call, read again when it ends. The previous call stays until the new one is loaded. */
export function useCall(number: number): { readonly call?: CallDetails; readonly problem?: string } {
  const outcome = calls.find(number)?.outcome
  const load = () =>
    readCall(number).then(
      (call) => ({ call }),
      ({ message }: Error) => ({ problem: message }),
    )
  return useLoaded<ReturnType<typeof useCall>>(load, [number, outcome]) ?? {}
}

/** Opens a call, if there is one; the tab that was open stays. */
export function openCall(number: number | undefined): void {
  if (number === undefined) return
  const [opened, tab] = route.peek().rest
  // The tab Compare has the number of another call in its address, which is not the right one for this call.
  const path = tab === undefined || tab === 'compare' ? pathTo('calls', number) : pathTo('calls', number, tab)
  // Stepping from call to call would fill the history.
  navigate(path, { replace: opened !== undefined })
}

/** The number of the call in the next row of the list for 1, in the previous row for -1. */
export function neighbourOf(number: number, by: 1 | -1): number | undefined {
  const row = calls.rowOf(number)
  if (row >= 0) return calls.listed.value[row + by]?.number
  // The filter hides the call: its neighbours are the next older and the next newer one of the list.
  const shown = calls.shown.value
  const next = by === 1 ? shown.findLast((call) => call.number < number) : shown.find((call) => call.number > number)
  return next?.number
}
