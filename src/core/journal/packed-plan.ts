/**
 * Packs a plan of any length into at most four objects, for the journal, which keeps a thousand of them.
 *
 * The garbage collector copies and traces long-lived data object by object. Keeping the events of a stream as objects
 * made its call 1.5 times as expensive.
 */
import type { PlanEvent } from '../protocol/plan/plan.ts'

/** Only the text for the usual plan: a head, one text and the end. */
export type PackedPlan = string | PackedEvents

export interface PackedEvents {
  /** The texts of all events, joined. */
  readonly text: string
  /** One number per event: the length of its text, or a negative code for other events. */
  readonly codes: readonly number[]
  /** The waits, in milliseconds. */
  readonly waits: readonly number[]
  /** The binary data that faults send. */
  readonly bytes?: readonly Uint8Array[]
}

const CODES = { head: -1, wait: -2, end: -3, reset: -4, stall: -5, close: -6, flush: -7, raw: -8, bytes: -9 } as const
const TYPES = { [-3]: 'end', [-4]: 'reset', [-5]: 'stall', [-6]: 'close', [-7]: 'flush' } as const
const NO_WAITS: readonly number[] = []

export function packPlan(events: readonly PlanEvent[]): PackedPlan {
  const [head, only, end] = events
  const isUsual = events.length === 3 && head?.type === 'head' && end?.type === 'end'
  if (isUsual && only?.type === 'send') {
    const { data } = only
    if (typeof data === 'string') return data
  }
  const codes = new Array<number>(events.length)
  const waits: number[] = []
  const bytes: Uint8Array[] = []
  let text = ''
  for (let place = 0; place < events.length; place++) {
    const event = events[place]!
    // Read once: a long text is built each time.
    const data = event.type === 'send' || event.type === 'raw' ? event.data : undefined
    if (typeof data === 'string') {
      codes[place] = data.length
      text += data
      continue
    }
    codes[place] = event.type === 'send' ? CODES.bytes : CODES[event.type]
    if (event.type === 'wait') waits.push(event.ms)
    // Copied: a view would keep the whole buffer in memory.
    if (data !== undefined) bytes.push(data.slice())
  }
  return { text, codes, waits: waits.length === 0 ? NO_WAITS : waits, ...(bytes.length > 0 && { bytes }) }
}

/** Restores the events of a plan without its headers; the status is stored elsewhere. */
export function unpackPlan(packed: PackedPlan, status: number): PlanEvent[] {
  const head: PlanEvent = { type: 'head', status, headers: {} }
  if (typeof packed === 'string') return [head, { type: 'send', data: packed }, { type: 'end' }]
  const { text, codes, waits, bytes = [] } = packed
  let position = 0
  let wait = 0
  let piece = 0
  return codes.map((code): PlanEvent => {
    if (code >= 0) {
      position += code
      return { type: 'send', data: text.slice(position - code, position) }
    }
    if (code === CODES.head) return head
    if (code === CODES.wait) return { type: 'wait', ms: waits[wait++]! }
    if (code === CODES.bytes) return { type: 'send', data: bytes[piece++]! }
    if (code === CODES.raw) return { type: 'raw', data: bytes[piece++]! }
    return { type: TYPES[code as keyof typeof TYPES] }
  })
}
