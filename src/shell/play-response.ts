/** Plays a plan as a web Response: for msw, in Node and in the browser. */
import type { PlanEvent } from '../core/plan.ts'
import type { Clock } from './clock.ts'
import type { Exchange } from './mock.ts'

const DRAIN_MS = 50
const NO_BODY = new Set([101, 204, 205, 304])

/** The response of an exchange. It comes when its head is due; its body goes on from there. */
export async function playResponse(exchange: Exchange, clock: Clock, signal: AbortSignal): Promise<Response> {
  const { events } = exchange.plan
  let due = clock.now()
  let next = 0
  for (; next < events.length; next++) {
    const event = events[next]!
    if (event.type === 'head') break
    if (event.type === 'wait') {
      due += event.ms
      exchange.sent(next + 1)
      await clock.until(due, signal)
      if (signal.aborted) return leave(exchange)
    } else {
      exchange.sent(next + 1)
      if (event.type === 'stall') await aborted(signal)
      exchange.end(event.type === 'stall' ? 'client-left' : 'cut')
      return Response.error()
    }
  }

  const { status, headers } = events[next] as Extract<PlanEvent, { type: 'head' }>
  const rest = events.slice(next + 1)
  const whole = wholeBody(rest)
  if (whole !== undefined) {
    if (next > 0) exchange.sent(events.length)
    exchange.end('complete')
    return new Response(NO_BODY.has(status) || exchange.turn.call.method === 'HEAD' ? null : whole, { status, headers })
  }
  exchange.sent(next + 1)
  // Without this header, a stream that errors looks like a clean end to fetch under msw.
  return new Response(streamOf(exchange, rest, due, clock, signal), {
    status,
    headers: { ...headers, 'transfer-encoding': 'chunked' },
  })
}

/** The body, when it goes out at once: pieces and an end, with nothing to wait for between. */
function wholeBody(events: readonly PlanEvent[]): string | undefined {
  const sends = events.filter((event) => event.type === 'send')
  const isWhole = sends.length <= 1 && events.every(({ type }) => type === 'send' || type === 'end')
  return isWhole ? (sends[0]?.data ?? '') : undefined
}

/** A body that is read piece by piece: it waits, sends, breaks or stalls as the plan says. */
function streamOf(
  exchange: Exchange,
  events: readonly PlanEvent[],
  start: number,
  clock: Clock,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const left = new AbortController()
  const either = AbortSignal.any([signal, left.signal])
  let due = start
  let next = 0
  const before = exchange.plan.events.length - events.length

  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    for (;;) {
      if (either.aborted) return fail(controller, 'client-left')
      const event = events[next++]
      exchange.sent(before + next)
      switch (event?.type) {
        case 'send':
          return controller.enqueue(encoder.encode(event.data))
        case 'wait':
          due += event.ms
          await clock.until(due, either)
          break
        case 'stall':
          await aborted(either)
          break
        case 'reset':
          // What was sent before must be read before the break, and a page behind a service worker reads it late.
          await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
          return fail(controller, 'cut')
        default:
          exchange.end('complete')
          return controller.close()
      }
    }
  }
  const fail = (controller: ReadableStreamDefaultController, outcome: 'cut' | 'client-left'): void => {
    exchange.end(outcome)
    controller.error(new TypeError(outcome === 'cut' ? 'terminated: the mock cut the connection' : 'terminated'))
  }
  const cancel = (): void => {
    exchange.end('client-left')
    left.abort()
  }
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

function leave(exchange: Exchange): Response {
  exchange.end('client-left')
  return Response.error()
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
