/** Answers one call in process with a web Response: for msw, in Node and in the browser. */

import type { Call } from '../core/decide/call/call-context.ts'
import type { Head, PlanEvent } from '../core/protocol/plan/plan.ts'
import { readAddressBelow } from '../core/protocol/request/address.ts'
import { CALL_HEADERS, type CallHeaders } from '../core/protocol/request/decisive-headers.ts'
import { type Engine, type Exchange, holdProcess, loadTokenizers, realDelay } from '../engine/index.ts'
import { endGzip } from './msw2-workarounds.ts'

interface FetchCall extends Pick<Call, 'method' | 'headers'> {
  /** Below the base path. */
  readonly url: URL
  readonly text: string
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
}

/** The headers of a request that a call has. */
export const readHeaders = (headers: Headers): CallHeaders =>
  Object.fromEntries(CALL_HEADERS.map((name) => [name, headers.get(name) ?? undefined]))

/** @param adapt what the client needs in place of the events of the plan. Default: gzip is complete. */
export async function answerCall(
  engine: Engine,
  { method, url: { pathname, search }, headers, text, signal }: FetchCall,
  basePath: string,
  adapt: (events: readonly PlanEvent[]) => readonly PlanEvent[] = endGzip,
): Promise<Response> {
  await loadTokenizers()
  const call: Call = {
    method,
    ...readAddressBelow(basePath, pathname)!,
    query: search === '' ? undefined : search.slice(1),
    headers,
    body: isWithin(text, engine.bodyLimit) ? text : undefined,
    bodyLimit: engine.bodyLimit,
    now: engine.clock.now(),
    speed: engine.clock.speed,
    transport: 'fetch',
  }
  const exchange = await new Promise<Exchange>((begun, failed) => engine.receive(call, begun, failed))
  try {
    return await playFetch(exchange, engine, signal, adapt(exchange.plan.events))
  } catch (error) {
    // The slot of a call is freed when it ends.
    exchange.end('cut')
    throw error
  }
}

/** True if a text has at most `bytes` bytes in UTF-8; they are only counted when its length cannot decide. */
function isWithin(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return true
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes
}

const DRAIN_MS = 50
/** The causes that Node's fetch gives when a connection breaks in the middle of a body. */
const BREAKS = {
  reset: { code: 'ECONNRESET', message: 'read ECONNRESET' },
  close: { code: 'UND_ERR_SOCKET', message: 'other side closed' },
} as const
const NO_BODY = new Set([101, 204, 205, 304])

/** The response of an exchange. It resolves when its head is due; its body follows. `events` are those of its plan. */
export async function playFetch(
  exchange: Exchange,
  engine: Engine,
  signal: AbortSignal,
  events: readonly PlanEvent[] = exchange.plan.events,
): Promise<Response> {
  let due = exchange.arrivedAt
  let next = 0
  for (; next < events.length; next++) {
    const event = events[next]!
    if (event.type === 'head') break
    if (event.type === 'wait') {
      due += event.ms
      exchange.sent(next + 1)
      await waitUntil(due, engine, signal)
      if (signal.aborted) return leave(exchange)
    } else {
      exchange.sent(next + 1)
      if (event.type === 'stall') await aborted(signal)
      exchange.end(event.type === 'stall' ? 'client-left' : 'cut')
      return Response.error()
    }
  }

  const { status, headers } = events[next] as Head
  const rest = events.slice(next + 1)
  const isEmpty = NO_BODY.has(status) || exchange.entry.method === 'HEAD'
  const whole = isEmpty ? '' : wholeBody(rest)
  if (whole !== undefined) {
    if (next > 0) exchange.sent(events.length)
    exchange.end('complete')
    return new Response(isEmpty ? null : (whole as BodyInit), { status, headers })
  }
  exchange.sent(next + 1)
  // Without one of these headers, a stream that errors looks like a clean end to fetch under msw.
  const framing = 'content-length' in headers ? undefined : { 'transfer-encoding': 'chunked' }
  return new Response(streamOf(exchange, rest, due, engine, signal), { status, headers: { ...headers, ...framing } })
}

/** The body, when it can be sent at once: at most one piece and the end, without a wait. */
function wholeBody(events: readonly PlanEvent[]): string | Uint8Array | undefined {
  const sends = events.filter((event) => event.type === 'send')
  const isWhole = sends.length <= 1 && events.every(({ type }) => type === 'send' || type === 'end')
  return isWhole ? (sends[0]?.data ?? '') : undefined
}

/** A body that waits, sends, breaks or stalls as the plan says. */
function streamOf(
  exchange: Exchange,
  events: readonly PlanEvent[],
  start: number,
  engine: Engine,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const left = new AbortController()
  const either = AbortSignal.any([signal, left.signal])
  let due = start
  let next = 0
  const before = exchange.plan.events.length - events.length

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    try {
      await playOn(controller)
    } catch (error) {
      exchange.end('cut')
      throw error
    }
  }
  const playOn = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      if (either.aborted) return fail(controller, 'client-left')
      const event = events[next++]!
      exchange.sent(before + next)
      switch (event.type) {
        case 'send':
          controller.enqueue(typeof event.data === 'string' ? encoder.encode(event.data) : event.data)
          // A client that has read the last piece may never read again, so report the end now.
          if (events[next]?.type !== 'end') return
          exchange.sent(before + next + 1)
          exchange.end('complete')
          return controller.close()
        case 'wait':
          due += event.ms
          await waitUntil(due, engine, either)
          break
        case 'stall':
          await aborted(either)
          break
        case 'close':
        case 'reset':
          // The client must read what was sent before the break, and a page behind a service worker reads it late.
          await realDelay(DRAIN_MS)
          return fail(controller, 'cut', BREAKS[event.type])
        case 'end':
          exchange.end('complete')
          return controller.close()
        case 'flush':
          // Each piece is a separate read anyway.
          break
        case 'head':
        case 'raw':
          throw new Error(`A plan has '${event.type}' in its body: a bug in llm-api-mock.`)
        default:
          event satisfies never
      }
    }
  }
  const fail = (
    controller: ReadableStreamDefaultController,
    outcome: 'cut' | 'client-left',
    cause?: Readonly<Record<'code' | 'message', string>>,
  ): void => {
    exchange.end(outcome)
    // What fetch throws: the reason of the client that left, or that the connection broke.
    const broken = new TypeError('terminated', cause && { cause: Object.assign(new Error(cause.message), cause) })
    controller.error(signal.aborted ? signal.reason : broken)
  }
  const cancel = (): void => {
    exchange.end('client-left')
    left.abort()
  }
  // A client that aborts without reading is noticed too.
  if (signal.aborted) exchange.end('client-left')
  else signal.addEventListener('abort', () => exchange.end('client-left'), { once: true })
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

/** Waits and records how exact the wait was. A piece that was already due when it was read does not count as late. */
async function waitUntil(due: number, { clock, timing }: Engine, signal: AbortSignal): Promise<void> {
  const from = Math.max(due, clock.now())
  await clock.until(due, signal)
  if (!signal.aborted) timing.record((clock.now() - from) / clock.speed)
}

function leave(exchange: Exchange): Response {
  exchange.end('client-left')
  return Response.error()
}

/**
 * Listeners for a client that leaves, each with what ends its hold on the process. They are held here: Node forgets to
 * abort the request of a client when nothing else holds it (https://github.com/nodejs/undici/issues/4068), and the client
 * would then wait for ever too.
 */
const stalled = new Map<() => void, () => void>()

/** Lets the process end while calls still hang, as it can when a server has closed its connections. */
export function releaseProcess(): void {
  for (const release of stalled.values()) release()
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    // The timer of AbortSignal.timeout does not keep the process alive until it ends.
    const release = holdProcess()
    const left = (): void => {
      release()
      stalled.delete(left)
      resolve()
    }
    stalled.set(left, release)
    signal.addEventListener('abort', left, { once: true })
  })
}
