/**
 * A plan in at most four objects, whatever its length: for the journal, which keeps a thousand of them.
 *
 * What is kept for long is copied and traced by the collector of garbage, object by object. Kept as they were played,
 * the events of a stream made its call half as dear again.
 */
import type { Head, PlanEvent } from '../plan/plan.ts'

/** Of a plan that is a head, one text and the end - most are - the text alone. */
export type PackedPlan = string | PackedEvents

export interface PackedEvents {
  /** All that is sent, in one text. */
  readonly text: string
  /** A number for each event: of what is sent its length, of others their code. */
  readonly codes: readonly number[]
  /** The milliseconds of the waits, in order. */
  readonly waits: readonly number[]
  /** What is sent as bytes, in order; only faults do that. */
  readonly bytes?: readonly Uint8Array[]
}

const CODES = { head: -1, wait: -2, end: -3, reset: -4, stall: -5, close: -6, flush: -7, raw: -8, bytes: -9 } as const
const TYPES = { [-3]: 'end', [-4]: 'reset', [-5]: 'stall', [-6]: 'close', [-7]: 'flush' } as const
const NO_WAITS: readonly number[] = []

export function packPlan(events: readonly PlanEvent[]): PackedPlan {
  if (isWhole(events)) return events[1].data
  const codes = new Array<number>(events.length)
  const waits: number[] = []
  const bytes: Uint8Array[] = []
  let text = ''
  for (let place = 0; place < events.length; place++) {
    const event = events[place]!
    if (event.type === 'send' && typeof event.data === 'string') {
      codes[place] = event.data.length
      text += event.data
      continue
    }
    codes[place] = event.type === 'send' ? CODES.bytes : CODES[event.type]
    if (event.type === 'wait') waits.push(event.ms)
    // Copied: a piece of a large buffer would keep all of it.
    if (event.type === 'send' || event.type === 'raw') bytes.push((event.data as Uint8Array).slice())
  }
  return { text, codes, waits: waits.length === 0 ? NO_WAITS : waits, ...(bytes.length > 0 && { bytes }) }
}

type Whole = readonly [PlanEvent, { readonly type: 'send'; readonly data: string }, PlanEvent]

const isWhole = (events: readonly PlanEvent[]): events is Whole => {
  const [head, send, end] = events
  return (
    events.length === 3 &&
    head!.type === 'head' &&
    send!.type === 'send' &&
    typeof send!.data === 'string' &&
    end!.type === 'end'
  )
}

/** The events of a packed plan; the status and the headers of its head are kept elsewhere. */
export function unpackPlan(packed: PackedPlan, status: number, headers: Head['headers'] = {}): PlanEvent[] {
  const head: PlanEvent = { type: 'head', status, headers }
  if (typeof packed === 'string') return [head, { type: 'send', data: packed }, { type: 'end' }]
  const { text, codes, waits, bytes = [] } = packed
  let place = 0
  let wait = 0
  let piece = 0
  return codes.map((code): PlanEvent => {
    if (code >= 0) {
      place += code
      return { type: 'send', data: text.slice(place - code, place) }
    }
    if (code === CODES.head) return head
    if (code === CODES.wait) return { type: 'wait', ms: waits[wait++]! }
    if (code === CODES.bytes) return { type: 'send', data: bytes[piece++]! }
    if (code === CODES.raw) return { type: 'raw', data: bytes[piece++]! }
    return { type: TYPES[code as keyof typeof TYPES] }
  })
}
