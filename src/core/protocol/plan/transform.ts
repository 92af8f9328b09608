/**
 * Queries and changes of plans, for faults, players and the journal. A plan is never changed in place:
 *
 *     sizeOf(plan)                                            11
 *     { ...plan, events: [...firstBytes(plan, 5), { type: 'reset' }] }   the same answer, broken after 5 bytes
 *     mapSends(plan, (send) => [send, send])                  every send twice
 */

import { LongStream } from './event-list.ts'
import { type Head, headOf, type Plan, type PlanEvent, type Send, sendSizeOf } from './plan.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Sent data as bytes; text in UTF-8. */
export const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? encoder.encode(data) : data
/** Sent data as text; bytes that are not UTF-8 become U+FFFD. */
export const textOf = (data: string | Uint8Array): string => (typeof data === 'string' ? data : decoder.decode(data))

/** The sends of a plan, in order. */
export const sendsOf = ({ events }: Pick<Plan, 'events'>): Send[] =>
  [...events].filter((event) => event.type === 'send')

/** The data of all sends as one text. */
export const sentText = (plan: Pick<Plan, 'events'>): string =>
  sendsOf(plan)
    .map(({ data }) => textOf(data))
    .join('')

/** The size of the body in bytes. */
export const sizeOf = (plan: Pick<Plan, 'events'>): number =>
  sendsOf(plan).reduce((sum, send) => sum + sendSizeOf(send), 0)

/** The event with other data, and the same pace. */
export const withData = ({ tokens, isBeside }: Send, data: Send['data']): Send => ({
  type: 'send',
  data,
  ...(tokens !== undefined && { tokens }),
  ...(isBeside !== undefined && { isBeside }),
})

/** The events before the head: its waits. */
export function beforeHead(plan: Plan): PlanEvent[] {
  const events = [...plan.events]
  const head = events.findIndex(({ type }) => type === 'head')
  return events.slice(0, head)
}

/** The plan with more headers; they replace those with the same names. */
export function withHeaders(plan: Plan, headers: Head['headers']): Plan {
  const head = headOf(plan.events)
  if (head === undefined) return plan
  const changed = { ...head, headers: { ...head.headers, ...headers } }
  const { events } = plan
  if (events instanceof LongStream) return { ...plan, events: events.with(changed) }
  return { ...plan, events: [...events].map((event) => (event === head ? changed : event)) }
}

/** The plan with each send replaced by some events. */
export function mapSends(plan: Plan, replace: (send: Send, index: number) => readonly PlanEvent[]): Plan {
  let index = 0
  return {
    ...plan,
    events: [...plan.events].flatMap((event) => (event.type === 'send' ? replace(event, index++) : [event])),
  }
}

/** The stream with one event replaced: the one that follows the first `after` events. It applies to no shorter stream. */
export function replaceEvent(
  plan: Plan,
  after: number,
  replace: (event: Send) => readonly PlanEvent[],
): Plan | NotApplicable {
  const { length } = sendsOf(plan)
  if (after >= length) {
    const notApplicable = `expected 'after' to be below ${length}, the number of events of the stream, got ${after}.`
    return { notApplicable }
  }
  return mapSends(plan, (event, index) => (index === after ? replace(event) : [event]))
}

const CLOSINGS: ReadonlySet<PlanEvent['type']> = new Set(['end', 'close', 'reset', 'stall'])

/** The events that send the first `size` bytes, with their waits and without a closing event. */
export function firstBytes({ events }: Plan, size: number): PlanEvent[] {
  const kept: PlanEvent[] = []
  /** The number of bytes that are still to be sent. */
  let left = size
  for (const event of events) {
    if (CLOSINGS.has(event.type)) break
    if (event.type === 'send') {
      const sendSize = sendSizeOf(event)
      if (sendSize > left) {
        if (left > 0) kept.push({ type: 'send', data: bytesOf(event.data).subarray(0, left) })
        break
      }
      left -= sendSize
    }
    kept.push(event)
  }
  return kept
}

const MAX_PIECES = 100_000

/** The plan with every send split into pieces of `size` bytes, each replaced by the events that `around` returns. */
export function inPieces(
  plan: Plan,
  size: number,
  around: (piece: Send & { readonly data: Uint8Array }) => readonly PlanEvent[],
): Plan | NotApplicable {
  const count = Math.ceil(sizeOf(plan) / size)
  if (count > MAX_PIECES) {
    return {
      notApplicable: `expected at most ${MAX_PIECES} pieces, got ${count} of ${size} bytes. Choose a larger size or rate.`,
    }
  }
  return mapSends(plan, ({ data }) => {
    const bytes = bytesOf(data)
    const pieces: PlanEvent[] = []
    for (let start = 0; start < bytes.length; start += size) {
      pieces.push(...around({ type: 'send', data: bytes.subarray(start, start + size) }))
    }
    return pieces
  })
}

/** The reason why a fault does not apply to an answer, and the remedy: a sentence or two. */
export interface NotApplicable {
  readonly notApplicable: string
  /** True if it applies to streams: the remedy, which depends on the source of the fault, is added later. */
  readonly needsStream?: true
}
