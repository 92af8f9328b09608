/** The state that all views share: the connection to the mock, its status, and the calls. */
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { CallDetails, CallSummary } from '../../core/journal/call-details.ts'
import type { Hello, MockStatus, NowStatus } from '../../server/index.ts'
import { CallStore } from '../calls/call-store.ts'
import { embedded, findEmbeddedCall } from '../report/embedded.ts'
import { api, ControlApiError, EventReader, readTexts, setAccess } from './control-api.ts'
import { dismissLost, say } from './messages.tsx'
import { navigate, pathTo, route } from './router.ts'

/** `refused`: the mock asks for its token. */
export const connection = signal<'connecting' | 'live' | 'lost' | 'refused'>('connecting')

/** The status of the mock; undefined until it is known. */
export const status = signal<MockStatus>()

/** The state of the mock, its limits and its timing; undefined until it is known. */
export const now = signal<NowStatus>()

/** The mock's clock beside the system clock. */
export const clock = signal<Hello>({ now: 0, time: 0 })

export const calls = new CallStore()

/** Increases each time the page connects, so that views load again what they show. */
export const connections = signal(0)

/** Reads the details of a call. @throws Error; its message is for the user. */
export const readCall = async (number: number): Promise<CallDetails> =>
  embedded === undefined ? api.read(`/journal/${number}`) : findEmbeddedCall(embedded, number)

/** Runs an action, and shows its error if it fails. */
export function act(action: () => Promise<void>): void {
  action().catch((error: Error) => {
    const httpStatus = error instanceof ControlApiError ? error.status : undefined
    if (httpStatus === 401) connection.value = 'refused'
    else say(error.message, { isProblem: true, isUntilConnected: httpStatus === 0 })
  })
}

/** A value that is loaded when a component is shown, and when an input changes; the previous value stays until the new one is loaded. */
export function useLoaded<Value>(load: () => Promise<Value>, inputs: readonly unknown[]): Value | undefined {
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

/** Runs an action when a component is shown, and when an input changes. */
export const useAct = (action: () => Promise<void>, inputs: readonly unknown[]): void =>
  useEffect(() => act(action), inputs)

/**
 * A link may contain the token after the #, which is not sent to any server, and name a session: `/_mock/?session=team-a`; an
 * empty name is the whole mock. Both are removed from the address at once.
 */
export function takeAccessFromLink(): void {
  const session = new URLSearchParams(location.search).get('session')
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (session !== null) setAccess('session', session)
  if (token !== null) setAccess('token', token)
  if (token !== null || session !== null) history.replaceState(null, '', location.pathname)
}

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 5000
let following = new AbortController()

/** Follows the event stream, and connects again when it breaks. Called again, it connects with the current token. */
export async function connect(): Promise<void> {
  following.abort()
  following = new AbortController()
  const { signal: aborting } = following
  for (let pauseMs = MIN_PAUSE_MS; !aborting.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      const { body } = await api.send('GET', '/events', undefined, aborting)
      pauseMs = MIN_PAUSE_MS
      takeConnection()
      const reader = new EventReader()
      for await (const text of readTexts(body!)) {
        for (const { event, data } of reader.feed(text)) takeEvent(event, JSON.parse(data))
      }
      connection.value = 'lost'
    } catch (error) {
      if (aborting.aborted) return
      const httpStatus = error instanceof ControlApiError ? error.status : 0
      connection.value = httpStatus === 401 ? 'refused' : 'lost'
      if (httpStatus === 401) return
      if (httpStatus !== 0) say((error as Error).message, { isProblem: true })
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function takeConnection(): void {
  connection.value = 'live'
  dismissLost()
  connections.value++
  // A restarted mock counts calls from 1 again.
  calls.clear()
}

function takeEvent(name: string, data: unknown): void {
  if (name === 'hello') clock.value = data as Hello
  if (name === 'call') addCall(data as CallSummary)
  if (name === 'status') status.value = data as MockStatus
  if (name === 'now') now.value = data as NowStatus
  if (name === 'missed') calls.missed.value += (data as { calls: number }).calls
}

/** Calls that the list does not have yet. They are added once per frame, as a load test sends thousands per second. */
let waiting: CallSummary[] = []

function addCall(call: CallSummary): void {
  const add = (): void => {
    const added = waiting
    waiting = []
    calls.add(added)
  }
  // A hidden page draws no frames, so there a timer has to do.
  if (waiting.length === 0) (document.hidden ? setTimeout : requestAnimationFrame)(add)
  waiting.push(call)
}

/** Forgets all calls, after the mock has. */
export function forgetCalls(): void {
  waiting = []
  calls.clear()
}

/** Makes the mock enter a state of its scenario. */
export function enterState(state: string): void {
  act(async () => {
    await api.send('PUT', '/state', { state })
    say(`Entered the state ${state}.`)
  })
}

/** The details of a call, read again when it ends. The previous call stays until the new one is loaded. */
export function useCall(number: number): { readonly call?: CallDetails; readonly problem?: string } {
  // Read, so that a change of the call is noticed.
  calls.all.value
  const outcome = calls.find(number)?.outcome
  const read = (): Promise<ReturnType<typeof useCall>> =>
    readCall(number).then(
      (call) => ({ call }),
      ({ message }: Error) => ({ problem: message }),
    )
  return useLoaded(read, [number, outcome]) ?? {}
}

/** Opens a call; the tab that was open stays. */
export function openCall(number: number): void {
  const [previous, tab] = route.peek().rest
  const path = tab === undefined || tab === 'compare' ? pathTo('calls', number) : pathTo('calls', number, tab)
  // Stepping through calls would fill the history.
  navigate(path, { replace: previous !== undefined })
}

/** The next older call for 1, the next newer for -1; as the list shows them. */
export function neighbourOf(number: number, by: 1 | -1): number | undefined {
  const listed = calls.listed.value
  const row = calls.rowOf(number)
  if (row >= 0) return listed[row + by]?.number
  // A call that the filter hides has neighbours by number.
  const shown = calls.shown.value
  const next = by === 1 ? shown.findLast((call) => call.number < number) : shown.find((call) => call.number > number)
  return next?.number
}
