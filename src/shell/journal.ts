/** The journal: what was asked and what was answered, and why; bounded, with no key in it whole. */
import type { JsonObject } from '../core/conversation.ts'
import { type Plan, type Reason, statusOf } from '../core/plan.ts'
import type { Turn } from '../core/turn.ts'

const MOST_ENTRIES = 1000
const LARGEST_BODY = 16_384
const LONGEST_NAME = 200
const SHORTEST_SECRET = 5

/** How an exchange ended: all was sent, the mock broke it off, or the client went away first. */
export type Outcome = 'open' | 'complete' | 'cut' | 'client-left'

/** One exchange. */
export interface JournalEntry {
  /** Counts from 1; the gap after a bound was reached shows that entries were dropped. */
  readonly number: number
  /** When it came, in milliseconds of the mock's clock. */
  readonly at: number
  readonly method: string
  readonly path: string
  /** The key, shortened. */
  readonly key: string
  readonly model: string
  readonly attempt: number
  /** The request body; left out when it is larger than 16 KiB. */
  readonly body?: JsonObject
  /** 0 when nothing was answered. */
  readonly status: number
  readonly reason: Reason
  readonly notes: readonly string[]
  outcome: Outcome
  /** From the call's arrival to the end of the answer, in milliseconds of the mock's clock. */
  durationMs: number
}

export class Journal {
  #entries: JournalEntry[] = []
  #count = 0

  add(turn: Turn, plan: Plan): JournalEntry {
    const { call, body } = turn
    const keepsBody = call.body !== undefined && call.body.length > 0 && call.body.length <= LARGEST_BODY
    const hide = hider(turn)
    const entry: JournalEntry = {
      number: ++this.#count,
      at: call.now,
      method: call.method,
      path: hide.text(call.path).slice(0, LONGEST_NAME),
      key: turn.key === '' ? '' : turn.maskedKey,
      model: hide.text(turn.model).slice(0, LONGEST_NAME),
      attempt: turn.attempt,
      ...(keepsBody && { body: hide.in(body) as JsonObject }),
      status: statusOf(plan),
      reason: plan.reason,
      notes: plan.notes.map(hide.text),
      outcome: 'open',
      durationMs: 0,
    }
    this.#entries.push(entry)
    // Dropped in bulk: removing from the front one at a time would copy the whole list for each call.
    if (this.#entries.length >= 2 * MOST_ENTRIES) this.#entries = this.#entries.slice(-MOST_ENTRIES)
    return entry
  }

  /** The last `count` entries, oldest first. */
  last(count = MOST_ENTRIES): readonly JournalEntry[] {
    return this.#entries.slice(-Math.min(count, MOST_ENTRIES))
  }

  clear(): void {
    this.#entries = []
  }
}

interface Hider {
  readonly text: (text: string) => string
  readonly in: (value: unknown) => unknown
}

const NOTHING_TO_HIDE: Hider = { text: (text) => text, in: (value) => value }

/** Masks the call's own key wherever a call repeats it. */
function hider({ key, maskedKey, call }: Turn): Hider {
  // A key of a few letters is part of other words; hiding those would tell no secret and spoil the journal.
  if (key.length < SHORTEST_SECRET) return NOTHING_TO_HIDE
  const text = (value: string): string => value.replaceAll(key, () => maskedKey)
  // An escape in the JSON may spell the key otherwise; only a body without escapes can be judged as it stands.
  const isClean = call.body === undefined || !(call.body.includes(key) || call.body.includes('\\'))
  return { text, in: isClean ? NOTHING_TO_HIDE.in : (value) => masked(value, text) }
}

/** A JSON value with every text and name in it masked. */
function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), masked(item, mask)]))
}
