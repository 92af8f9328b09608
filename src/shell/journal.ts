/** The journal: what was asked and what was answered, and why; bounded, with no key in it whole. */
import { isObject, type JsonObject } from '../core/conversation.ts'
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
  /** The state that the call found the scenario in; left out when it has none. */
  readonly state?: string
  /** The request body; left out when it is larger than 16 KiB or was no JSON. */
  readonly body?: JsonObject
  /** 0 when nothing was answered. */
  readonly status: number
  readonly reason: Reason
  readonly notes: readonly string[]
  outcome: Outcome
  /** From the call's arrival to the end of the answer, in milliseconds of the mock's clock. */
  durationMs: number
}

/** An entry as it is kept: its body as text, which costs a collector of garbage much less than what it parses to. */
interface Kept extends JournalEntry {
  readonly text: string | undefined
}

export class Journal {
  #entries: Kept[] = []
  #count = 0

  add(turn: Turn, plan: Plan): JournalEntry {
    const { call, body } = turn
    const hide = hider(turn)
    const entry: Kept = {
      number: ++this.#count,
      at: call.now,
      method: call.method,
      path: hide.text(call.path).slice(0, LONGEST_NAME),
      key: turn.key === '' ? '' : turn.maskedKey,
      model: hide.text(turn.model).slice(0, LONGEST_NAME),
      attempt: turn.attempt,
      ...(turn.state !== undefined && { state: turn.state.name }),
      text: turn.bodyError === undefined && isKept(call.body) ? hide.body(call.body, body) : undefined,
      status: statusOf(plan),
      reason: plan.reason,
      notes: plan.notes.length === 0 ? plan.notes : plan.notes.map(hide.text),
      outcome: 'open',
      durationMs: 0,
    }
    this.#entries.push(entry)
    // Dropped in bulk: removing from the front one at a time would copy the whole list for each call.
    if (this.#entries.length >= 2 * MOST_ENTRIES) this.#entries = this.#entries.slice(-MOST_ENTRIES)
    return entry
  }

  /** The last 1,000 entries, oldest first. */
  last(): readonly JournalEntry[] {
    return this.#entries.slice(-MOST_ENTRIES).map(shown)
  }

  /** One of the last 1,000 entries by its number. */
  find(number: number): JournalEntry | undefined {
    // Numbers go up by one, so the place follows from the last.
    const place = this.#entries.length - 1 - (this.#count - number)
    const entry = place >= this.#entries.length - MOST_ENTRIES ? this.#entries[place] : undefined
    return entry && shown(entry)
  }

  clear(): void {
    this.#entries = []
  }
}

function shown({ text, ...entry }: Kept): JournalEntry {
  const body = text === undefined ? undefined : readBody(text)
  return body === undefined ? entry : { ...entry, body }
}

/** A call to an unknown path is answered without a look at its body, which may be anything. */
function readBody(text: string): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : undefined
  } catch {
    return undefined
  }
}

const isKept = (body: string | undefined): body is string =>
  body !== undefined && body !== '' && body.length <= LARGEST_BODY

interface Hider {
  readonly text: (text: string) => string
  /** A body as it came and as it was parsed: as text. */
  readonly body: (text: string, parsed: JsonObject) => string
}

const NOTHING_TO_HIDE: Hider = { text: (text) => text, body: (text) => text }

/** Masks the call's own key where a call repeats it; most calls don't, and cost a look only. */
function hider({ key, maskedKey, call: { path, body = '' } }: Turn): Hider {
  // A key of a few letters is part of other words; hiding those would tell no secret and spoil the journal.
  if (key.length < SHORTEST_SECRET) return NOTHING_TO_HIDE
  // An escape in the JSON may spell the key otherwise: only a body without escapes can be judged as it stands.
  if (!path.includes(key) && !body.includes(key) && !body.includes('\\')) return NOTHING_TO_HIDE
  const text = (value: string): string => value.replaceAll(key, () => maskedKey)
  return { text, body: (_, parsed) => JSON.stringify(masked(parsed, text)) }
}

/** A JSON value with every text and name in it masked. */
function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), masked(item, mask)]))
}
