/**
 * Plays a plan as a web Response, in Node and in the browser.
 *
 *     head 200, send "data: a", wait 50 ms, send "data: b", end
 *     -> a Response with a body of two pieces: one at once, one 50 ms later
 *
 * Waits count from the arrival of the call, so a client that reads late does not delay what comes after.
 */

import type { Head, PlanEvent } from '../core/protocol/plan/plan.ts'
import { type Engine, type Exchange, realDelay, waitUntil } from '../engine/index.ts'
import { clientLeft } from './stalled-calls.ts'

/** Statuses whose responses have no body. */
const NO_BODY = new Set([101, 204, 205, 304])

/**
 * The response of an exchange. It resolves when its head is due; its body follows.
 * @param events those of its plan, or as many that were adapted to the client.
 */
export async function playFetch(
  exchange: Exchange,
  engine: Engine,
  signal: AbortSignal,
  events: readonly PlanEvent[] = [...exchange.plan.events],
): Promise<Response> {
  let due = exchange.arrivedAt
  let headIndex = 0
  for (; events[headIndex]!.type !== 'head'; headIndex++) {
    const event = events[headIndex]!
    exchange.sent(headIndex + 1)
    if (event.type === 'wait') {
      due += event.ms
      await waitFor(due, engine, signal)
      if (!signal.aborted) continue
      exchange.end('client-left')
    } else if (event.type === 'stall') {
      await clientLeft(signal)
      exchange.end('client-left')
    } else {
      // The connection breaks before the head.
      exchange.end('cut')
    }
    return Response.error()
  }

  const { status, headers } = events[headIndex] as Head
  const isEmpty = NO_BODY.has(status) || exchange.entry.method === 'HEAD'
  const rest = events.slice(headIndex + 1)
  const sends = rest.filter((event) => event.type === 'send')
  const isSentAtOnce = sends.length <= 1 && rest.every(({ type }) => type === 'send' || type === 'end')
  if (isEmpty || isSentAtOnce) {
    // Without a wait before the head, everything was sent on arrival.
    if (headIndex > 0) exchange.sent(events.length)
    exchange.end('complete')
    const body = isEmpty ? null : (sends[0]?.data ?? '')
    return new Response(body as BodyInit | null, { status, headers })
  }
  exchange.sent(headIndex + 1)
  const body = streamBody(exchange, engine, signal, events, headIndex + 1, due)
  // Without one of these headers, a stream that errors looks like a clean end to fetch under msw.
  const framing = 'content-length' in headers ? undefined : { 'transfer-encoding': 'chunked' }
  return new Response(body, { status, headers: { ...headers, ...framing } })
}

type Controller = ReadableStreamDefaultController<Uint8Array>

/** Time for the client to read what was sent before a break. A page behind a service worker reads late. */
const DRAIN_MS = 50
/** The causes that Node's fetch gives when a connection breaks in the middle of a body. */
const BREAKS = {
  reset: { code: 'ECONNRESET', message: 'read ECONNRESET' },
  close: { code: 'UND_ERR_SOCKET', message: 'other side closed' },
} as const

/**
 * A body that waits, sends, breaks or stalls as the plan says, whenever the client reads from it.
 * @param next the index of its first event.
 * @param due the time at which that is due.
 */
function streamBody(
  exchange: Exchange,
  engine: Engine,
  clientSignal: AbortSignal,
  events: readonly PlanEvent[],
  next: number,
  due: number,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const cancelled = new AbortController()
  /** Aborts when the client leaves or cancels the body. */
  const left = AbortSignal.any([clientSignal, cancelled.signal])
  const leave = (): void => exchange.end('client-left')
  // A client that aborts without reading is noticed too.
  if (clientSignal.aborted) leave()
  else clientSignal.addEventListener('abort', leave, { once: true })

  /** Ends the body with the error that fetch has: the reason of the client that left, or that the connection broke. */
  const fail = (controller: Controller, outcome: 'cut' | 'client-left', cause?: Error): void => {
    exchange.end(outcome)
    const terminated = new TypeError('terminated', cause && { cause })
    controller.error(clientSignal.aborted ? clientSignal.reason : terminated)
  }

  /** Plays until a piece was sent or the body has ended. */
  const playOn = async (controller: Controller): Promise<void> => {
    for (;;) {
      if (left.aborted) return fail(controller, 'client-left')
      const event = events[next++]!
      exchange.sent(next)
      switch (event.type) {
        case 'send':
          controller.enqueue(typeof event.data === 'string' ? encoder.encode(event.data) : event.data)
          // A client that has read the last piece may never read again, so report the end now.
          if (events[next]?.type !== 'end') return
          exchange.sent(next + 1)
          exchange.end('complete')
          return controller.close()
        case 'wait':
          due += event.ms
          await waitFor(due, engine, left)
          break
        case 'stall':
          await clientLeft(left)
          break
        case 'close':
        case 'reset': {
          await realDelay(DRAIN_MS)
          const { message, code } = BREAKS[event.type]
          return fail(controller, 'cut', Object.assign(new Error(message), { code }))
        }
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

  const pull = (controller: Controller): Promise<void> =>
    playOn(controller).catch((error) => {
      // A bug in the mock: the slot of the call must be freed all the same.
      exchange.end('cut')
      throw error
    })
  const cancel = (): void => {
    leave()
    cancelled.abort()
  }
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

/** Waits and records how exact the wait was. */
async function waitFor(due: number, { clock, timing }: Engine, signal: AbortSignal): Promise<void> {
  // A piece that was already due when it was read does not count as late.
  const end = Math.max(due, clock.now())
  await waitUntil(clock, due, signal)
  if (!signal.aborted) timing.record((clock.now() - end) / clock.speed)
}
