/**
 * A plan in at most four objects, whatever its length: for the journal, which keeps a thousand of them.
 *
 * What is kept for long is copied and traced by the collector of garbage, object by object. Kept as they were played,
 * the events of a stream made its call half as dear again.
 */
import type { PlanEvent } from '../plan.ts'

/** Of a plan that is a head, one text and the end - most are - the text alone. */
export type PackedPlan = string | PackedEvents

interface PackedEvents {
  /** All that is sent, in one text. */
  readonly text: string
  /** A number for each event: of what is sent its length, of others their code. */
  readonly codes: readonly number[]
  /** The milliseconds of the waits, in order. */
  readonly waits: readonly number[]
}

const CODES = { head: -1, wait: -2, end: -3, reset: -4, stall: -5 } as const
const TYPES = { [-3]: 'end', [-4]: 'reset', [-5]: 'stall' } as const
const NO_WAITS: readonly number[] = []

export function packPlan(events: readonly PlanEvent[]): PackedPlan {
  if (isWhole(events)) return events[1].data
  const codes: number[] = []
  const waits: number[] = []
  const texts: string[] = []
  for (const event of events) {
    if (event.type === 'send') {
      codes.push(event.data.length)
      texts.push(event.data)
      continue
    }
    codes.push(CODES[event.type])
    if (event.type === 'wait') waits.push(event.ms)
  }
  // Joined, as a text that is added up stays a tree of its parts.
  return { text: texts.join(''), codes, waits: waits.length === 0 ? NO_WAITS : waits }
}

type Whole = readonly [PlanEvent, { readonly type: 'send'; readonly data: string }, PlanEvent]

const isWhole = (events: readonly PlanEvent[]): events is Whole =>
  events.length === 3 && events[0]!.type === 'head' && events[1]!.type === 'send' && events[2]!.type === 'end'

/** The events of a packed plan; of its head the status is known and the headers stand elsewhere. */
export function unpackPlan(packed: PackedPlan, status: number): PlanEvent[] {
  const head: PlanEvent = { type: 'head', status, headers: {} }
  if (typeof packed === 'string') return [head, { type: 'send', data: packed }, { type: 'end' }]
  const { text, codes, waits } = packed
  let place = 0
  let wait = 0
  return codes.map((code): PlanEvent => {
    if (code >= 0) {
      place += code
      return { type: 'send', data: text.slice(place - code, place) }
    }
    if (code === CODES.head) return head
    if (code === CODES.wait) return { type: 'wait', ms: waits[wait++]! }
    return { type: TYPES[code as keyof typeof TYPES] }
  })
}
