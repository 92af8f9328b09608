/**
 * Plays a plan as a web Response, in Node and in the browser.
 *
 *     head 200, send "data: a", wait 50 ms, send "data: b", end
 *     -> a Response with a body of two pieces: one at once, one 50 ms later
 *
 * Waits count from the arrival of the call, so a client that reads late does not delay what comes after.
 */

import type { Head, PlanEvent } from '../core/protocol/plan/plan.ts'
import { type Engine, type Exchange, realDelay } from '../engine/index.ts'
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
      await waitUntil(due, engine, signal)
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
  const whole = isEmpty ? null : wholeBody(events.slice(headIndex + 1))
  if (whole !== undefined) {
    // Without a wait before the head, everything was sent on arrival.
    if (headIndex > 0) exchange.sent(events.length)
    exchange.end('complete')
    return new Response(whole as BodyInit | null, { status, headers })
  }
  exchange.sent(headIndex + 1)
  const body = new PlannedBody(exchange, engine, signal, events, headIndex + 1, due)
  // Without one of these headers, a stream that errors looks like a clean end to fetch under msw.
  const framing = 'content-length' in headers ? undefined : { 'transfer-encoding': 'chunked' }
  return new Response(body.stream, { status, headers: { ...headers, ...framing } })
}

/** The body, when it can be sent at once: at most one piece and the end, without a wait. */
function wholeBody(events: readonly PlanEvent[]): string | Uint8Array | undefined {
  const sends = events.filter((event) => event.type === 'send')
  const isWhole = sends.length <= 1 && events.every(({ type }) => type === 'send' || type === 'end')
  return isWhole ? (sends[0]?.data ?? '') : undefined
}

type Controller = ReadableStreamDefaultController<Uint8Array>

/** Time for the client to read what was sent before a break. A page behind a service worker reads late. */
const DRAIN_MS = 50
/** The causes that Node's fetch gives when a connection breaks in the middle of a body. */
const BREAKS = {
  reset: { code: 'ECONNRESET', message: 'read ECONNRESET' },
  close: { code: 'UND_ERR_SOCKET', message: 'other side closed' },
} as const
type Break = (typeof BREAKS)[keyof typeof BREAKS]

/** A body that waits, sends, breaks or stalls as the plan says, whenever the client reads from it. */
class PlannedBody {
  readonly stream: ReadableStream<Uint8Array>
  readonly #exchange: Exchange
  readonly #engine: Engine
  readonly #events: readonly PlanEvent[]
  /** The index of the next event. */
  #next: number
  /** The time at which the next event is due. */
  #due: number
  readonly #encoder = new TextEncoder()
  /** Aborts when the client leaves. */
  readonly #clientSignal: AbortSignal
  /** Aborts when the client cancels the body. */
  readonly #cancelled = new AbortController()
  /** Aborts in either case. */
  readonly #left: AbortSignal

  constructor(
    exchange: Exchange,
    engine: Engine,
    clientSignal: AbortSignal,
    events: readonly PlanEvent[],
    first: number,
    start: number,
  ) {
    this.#exchange = exchange
    this.#engine = engine
    this.#events = events
    this.#next = first
    this.#due = start
    this.#clientSignal = clientSignal
    this.#left = AbortSignal.any([clientSignal, this.#cancelled.signal])
    const leave = (): void => exchange.end('client-left')
    // A client that aborts without reading is noticed too.
    if (clientSignal.aborted) leave()
    else clientSignal.addEventListener('abort', leave, { once: true })
    const cancel = (): void => {
      leave()
      this.#cancelled.abort()
    }
    this.stream = new ReadableStream({ pull: (controller) => this.#pull(controller), cancel }, { highWaterMark: 0 })
  }

  /** Called by the stream when the client reads. */
  async #pull(controller: Controller): Promise<void> {
    try {
      await this.#playOn(controller)
    } catch (error) {
      // A bug in the mock: the slot of the call must be freed all the same.
      this.#exchange.end('cut')
      throw error
    }
  }

  /** Plays until a piece was sent or the body has ended. */
  async #playOn(controller: Controller): Promise<void> {
    const exchange = this.#exchange
    for (;;) {
      if (this.#left.aborted) return this.#fail(controller, 'client-left')
      const event = this.#events[this.#next++]!
      exchange.sent(this.#next)
      switch (event.type) {
        case 'send':
          controller.enqueue(typeof event.data === 'string' ? this.#encoder.encode(event.data) : event.data)
          // A client that has read the last piece may never read again, so report the end now.
          if (this.#events[this.#next]?.type !== 'end') return
          exchange.sent(this.#next + 1)
          exchange.end('complete')
          return controller.close()
        case 'wait':
          this.#due += event.ms
          await waitUntil(this.#due, this.#engine, this.#left)
          break
        case 'stall':
          await clientLeft(this.#left)
          break
        case 'close':
        case 'reset':
          await realDelay(DRAIN_MS)
          return this.#fail(controller, 'cut', BREAKS[event.type])
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

  /** Ends the body with the error that fetch has: the reason of the client that left, or that the connection broke. */
  #fail(controller: Controller, outcome: 'cut' | 'client-left', broken?: Break): void {
    this.#exchange.end(outcome)
    const cause = broken && Object.assign(new Error(broken.message), broken)
    const terminated = new TypeError('terminated', cause && { cause })
    controller.error(this.#clientSignal.aborted ? this.#clientSignal.reason : terminated)
  }
}

/** Waits and records how exact the wait was. */
async function waitUntil(due: number, { clock, timing }: Engine, signal: AbortSignal): Promise<void> {
  // A piece that was already due when it was read does not count as late.
  const end = Math.max(due, clock.now())
  await clock.until(due, signal)
  if (!signal.aborted) timing.record((clock.now() - end) / clock.speed)
}
