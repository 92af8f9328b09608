/**
 * The connection to the mock: follows its event stream, puts what it says into the page state, and connects again when the
 * stream breaks.
 *
 *     event: call
 *     data: {"number":17,"status":429,"reason":{"by":"limit","name":"requests-limit"},…}
 *
 * A stream begins with `hello`, the status and the calls of the journal; changes follow.
 */
import type { CallSummary } from '../../core/journal/call-details.ts'
import type { Hello, MockStatus, NowStatus } from '../../server/index.ts'
import { api, ControlApiError, readEvents, readTexts } from './control-api.ts'
import { say } from './messages.tsx'
import { calls, clock, connection, now, status } from './page-state.ts'

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 5000

/** Ends the loop of the last call of `connect`: the next call begins another one. */
let following = new AbortController()

/**
 * Follows the event stream, and connects again when it breaks. Ends only when the mock asks for its token; called again
 * then, it connects with the token that the user has given.
 */
export async function connect(): Promise<void> {
  following.abort()
  following = new AbortController()
  const { signal } = following
  for (let pauseMs = MIN_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      const { body } = await api.send('GET', '/events', undefined, signal)
      pauseMs = MIN_PAUSE_MS
      connection.value = 'live'
      // A restarted mock counts calls from 1 again.
      calls.clear()
      for await (const { name, data } of readEvents(readTexts(body!))) takeEvent(name, data)
      connection.value = 'lost'
    } catch (error) {
      if (signal.aborted) return
      const httpStatus = error instanceof ControlApiError ? error.status : 0
      connection.value = httpStatus === 401 ? 'refused' : 'lost'
      if (httpStatus === 401) return
      // A mock that does not answer shows in the head of the page. Any other failure needs its message.
      if (httpStatus !== 0) say((error as Error).message, { isProblem: true })
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

function takeEvent(name: string, data: unknown): void {
  if (name === 'call') calls.addWithNextFrame(data as CallSummary)
  if (name === 'hello') clock.value = data as Hello
  if (name === 'status') status.value = data as MockStatus
  if (name === 'now') now.value = data as NowStatus
  if (name === 'missed') calls.missed.value += (data as { calls: number }).calls
}
