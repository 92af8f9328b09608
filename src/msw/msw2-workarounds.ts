/**
 * Workarounds for msw 2, one function each:
 *
 *     clientSignal    a client of node:http leaves            msw does not abort the signal of its request
 *     guardCancel     a client cancels a body unread          a clone that msw keeps holds it up for ever
 *     endGzip         a fault cuts an answer within gzip      msw unzips it, and fails
 */
import { headOf, type PlanEvent } from '../core/protocol/plan/plan.ts'
import { bytesOf, withData } from '../core/protocol/plan/transform.ts'

/** The used part of a ClientRequest of node:http; this code runs in browsers too, so it does not import one. */
interface NodeHttpClient {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Node aborts the signal of a request only as long as something holds the request: here, its signal does. */
const requests = new WeakMap<AbortSignal, Request>()

/** A signal that aborts when the client leaves. msw 2 never aborts that of a node:http client, so the client is asked itself. */
export function clientSignal(request: Request): AbortSignal {
  const { signal } = request
  requests.set(signal, request)
  // msw 2 needs a microtask to see that a fetch was aborted. Fake timers such as those of Jest may hold it back, and msw would
  // then answer with a 500. So the microtasks run at once.
  const { clock } = queueMicrotask as typeof queueMicrotask & { readonly clock?: { runMicrotasks?(): void } }
  if (clock !== undefined) signal.addEventListener('abort', () => clock.runMicrotasks?.(), { once: true })
  const client = nodeHttpClientOf(request)
  if (client === undefined) return signal
  if (client.destroyed) return AbortSignal.abort()
  const left = new AbortController()
  client.once('close', () => left.abort())
  return left.signal
}

/** The client of node:http behind a request: msw 2 keeps it under a private symbol. */
export function nodeHttpClientOf(request: Request): NodeHttpClient | undefined {
  const values = Object.getOwnPropertySymbols(request).map((symbol): unknown => Reflect.get(request, symbol))
  return values.find(isNodeHttpClient)
}

const isNodeHttpClient = (value: unknown): value is NodeHttpClient =>
  typeof value === 'object' && value !== null && 'reusedSocket' in value

/** The used part of the events of an msw server. */
interface ResponseEvents {
  on(event: string, listener: (event: { request: Request; response?: Response }) => void): unknown
}

/**
 * msw 2 keeps a clone of every response for its events, and a body with an unread clone can't be cancelled: a
 * client that drops a 429 before it retries would wait forever. Cancelling the clone frees it.
 * A client of node:http reads the very body that the event holds, so it must not be cancelled.
 */
export function guardCancel({ events }: { readonly events: unknown }): void {
  for (const name of ['response:mocked', 'response:bypass'] as const) {
    ;(events as ResponseEvents).on(name, ({ request, response }) => {
      if (nodeHttpClientOf(request) === undefined) response?.body?.cancel().catch(() => {})
    })
  }
}

const NOTHING = new Uint8Array(0)

/**
 * Completes gzip that breaks off in the middle. Node's fetch takes what it can unzip for the whole body; msw 2 unzips for it,
 * and would fail at the break. So it gets the same text in a gzip that is complete, all of it in the last piece. In a page,
 * nothing unzips, and the events stay as they are.
 */
export function endGzip(events: readonly PlanEvent[]): readonly PlanEvent[] {
  const zlib = globalThis.process?.getBuiltinModule?.('zlib')
  if (zlib === undefined || headOf(events)?.headers['content-encoding'] !== 'gzip') return events
  const sends = events.filter((event) => event.type === 'send')
  const sent = Buffer.concat(sends.map(({ data }) => bytesOf(data)))
  const text = zlib.gunzipSync(sent, { finishFlush: zlib.constants.Z_SYNC_FLUSH })
  const completeGzip = zlib.gzipSync(text)
  const last = sends.at(-1)
  return events.map((event) => {
    if (event.type !== 'send') return event
    return withData(event, event === last ? completeGzip : NOTHING)
  })
}
