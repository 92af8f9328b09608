/**
 * The journal: the last exchanges with their plans and outcomes. With `entries: 2`, after three calls:
 *
 *     counts    { kept: 2, total: 3 }
 *     dropped   1, and `find(1)` is undefined
 *
 * Calls are numbered from 1, and the journal holds a row of them: those after the last clearing, at most `entries`. It has
 * three bounds. The oldest exchange goes when there are too many, the oldest payloads (bodies and plans) are overwritten
 * in a ring of `bytes`, and the oldest large plans are dropped when they take more than a quarter of that together.
 */

import type { Usage } from '../decide/call/answer.ts'
import type { CallContext } from '../decide/call/call-context.ts'
import { checkOptions, type OptionChecks, wholeNumber } from '../protocol/errors/check-options.ts'
import type { Plan } from '../protocol/plan/plan.ts'
import { type ExchangeStore, type RecordingComparer, StoredExchange } from './stored-exchange.ts'
import { TextRing } from './text-ring.ts'

const DEFAULT_ENTRIES = 1000
const DEFAULT_BYTES = 32_000_000
/** The share of all bytes that one body or one plan may take, so that a large one does not evict all others. */
const MAX_PAYLOAD_SHARE = 1 / 32
/** The share of all bytes that the larger plans may take together. */
const MAX_LARGE_SHARE = 1 / 4

/** The bounds of a journal. */
export interface JournalSettings {
  /** The most exchanges kept; the oldest go first. Default: 1,000. */
  readonly entries?: number
  /**
   * The most bytes of request bodies and plans, in UTF-8. Beyond it, the oldest entries lose
   * theirs. A body larger than 1/32 of it is not stored, and plans larger than that share another quarter.
   * Default: 32,000,000.
   */
  readonly bytes?: number
}

const SETTINGS: OptionChecks<JournalSettings> = { entries: wholeNumber(1), bytes: wholeNumber(1) }

export class Journal {
  readonly #maxEntries: number
  readonly #maxBytes: number
  /** A ring buffer of at most `#maxEntries`. */
  #ring: StoredExchange[] = []
  /** The number of calls in the ring. Removing those of a session leaves holes. */
  #kept = 0
  /** The number of the last call. */
  #count = 0
  /** The number of the last call before the journal was cleared. */
  #cleared = 0
  /** The ring of texts in it is replaced when the journal is cleared. */
  #store: ExchangeStore

  /**
   * @param onFailure is given what the journal could not do: recording a call must not break it.
   * @throws MockError when a setting is unknown, or a bound is not a whole number from 1.
   */
  constructor(settings: JournalSettings = {}, onFailure: (task: string, error: unknown) => void = () => {}) {
    checkOptions('journal', settings, SETTINGS)
    const { entries = DEFAULT_ENTRIES, bytes = DEFAULT_BYTES } = settings
    this.#maxEntries = entries
    this.#maxBytes = bytes
    this.#store = {
      texts: new TextRing(bytes),
      maxPayloadBytes: Math.ceil(bytes * MAX_PAYLOAD_SHARE),
      onFailure: (error) => onFailure('record a call', error),
    }
  }

  /** Adds a call, in place of the oldest one when the ring is full; never throws. A call that cannot be recorded gets an entry that says so. */
  add(context: CallContext, plan: Plan, usage?: Usage, compareRecording?: RecordingComparer): StoredExchange {
    const number = this.#count + 1
    const entry = new StoredExchange(number, context, plan, usage, this.#store, compareRecording)
    const index = this.#indexOf(number)
    if (this.#ring[index] === undefined) this.#kept++
    this.#ring[index] = entry
    this.#count = number
    if (entry.payload?.largeBytes) this.#keepLarge(entry, entry.payload.largeBytes)
    return entry
  }

  /** Keeps a large plan in place of the oldest ones, if it has room at all. */
  #keepLarge(added: StoredExchange, addedBytes: number): void {
    const room = Math.ceil(this.#maxBytes * MAX_LARGE_SHARE)
    if (addedBytes > room) {
      const most = room.toLocaleString('en')
      return added.dropLargePlan(
        `the answer is too large for the journal, which keeps up to ${most} bytes of one (--journal-bytes)`,
      )
    }
    let bytes = 0
    for (const entry of [...this].reverse()) {
      bytes += entry.payload?.largeBytes ?? 0
      if (bytes > room) entry.dropLargePlan()
    }
  }

  /** The exchanges kept, oldest first. */
  *[Symbol.iterator](): Generator<StoredExchange> {
    for (let number = this.#first; number <= this.#count; number++) {
      const entry = this.#ring[this.#indexOf(number)]
      if (entry !== undefined) yield entry
    }
  }

  /** The exchange with this number; undefined when it is no longer kept. */
  find(number: number): StoredExchange | undefined {
    return number >= this.#first && number <= this.#count ? this.#ring[this.#indexOf(number)] : undefined
  }

  /** The number of calls since the journal was cleared, and of those that are kept. */
  get counts(): { readonly kept: number; readonly total: number } {
    return { kept: this.#kept, total: this.#count - this.#cleared }
  }

  /** The number of calls that had no room any more since the journal was cleared. */
  get dropped(): number {
    return this.#first - 1 - this.#cleared
  }

  /** The number of kept exchanges that have lost their bodies and timelines to later ones. */
  get withoutPayload(): number {
    return this.#ring.filter(({ payload }) => payload?.isOverwritten).length
  }

  /** @param isRestart true if calls are counted from 1 again. */
  clear(isRestart = false): void {
    this.#ring = []
    this.#kept = 0
    if (isRestart) this.#count = 0
    this.#cleared = this.#count
    this.#store = { ...this.#store, texts: new TextRing(this.#maxBytes) }
  }

  /** Removes the calls of a session. */
  clearSession(session: string): void {
    for (const [index, entry] of this.#ring.entries()) {
      if (entry?.session !== session) continue
      delete this.#ring[index]
      this.#kept--
    }
  }

  /** The number of the oldest call that may be kept. */
  get #first(): number {
    return Math.max(this.#cleared, this.#count - this.#maxEntries) + 1
  }

  #indexOf(number: number): number {
    return (number - this.#cleared - 1) % this.#maxEntries
  }
}
