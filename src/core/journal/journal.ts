/** The journal: the last exchanges with their plans and outcomes, bounded by count and by bytes. */

import type { CallContext } from '../decide/call/call-context.ts'
import type { Usage } from '../decide/call/respond.ts'
import { checkOptions, type OptionChecks, wholeNumber } from '../protocol/errors/check-options.ts'
import type { Plan } from '../protocol/plan/plan.ts'
import { type RecordingComparer, StoredExchange } from './stored-exchange.ts'
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

type OnFailure = (task: string, error: unknown) => void

const SETTINGS: OptionChecks<JournalSettings> = { entries: wholeNumber(1), bytes: wholeNumber(1) }

export class Journal {
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #maxPayloadBytes: number
  readonly #onFailure: OnFailure
  /** A ring buffer of at most `#maxEntries`. */
  #ring: StoredExchange[] = []
  /** True if the calls of a session were removed. */
  #hasGaps = false
  #count = 0
  #cleared = 0
  #texts: TextRing

  /**
   * @param onFailure is given what the journal could not do: recording a call must not break it.
   * @throws MockError when a setting is unknown, or a bound is not a whole number from 1.
   */
  constructor(settings: JournalSettings = {}, onFailure: OnFailure = () => {}) {
    checkOptions('journal', settings, SETTINGS)
    const { entries = DEFAULT_ENTRIES, bytes = DEFAULT_BYTES } = settings
    this.#maxEntries = entries
    this.#maxBytes = bytes
    this.#texts = new TextRing(bytes)
    this.#maxPayloadBytes = Math.ceil(bytes * MAX_PAYLOAD_SHARE)
    this.#onFailure = onFailure
  }

  /** Adds a call; never throws. A call that cannot be recorded gets an entry that says so. */
  add(context: CallContext, plan: Plan, usage?: Usage, compareRecording?: RecordingComparer): StoredExchange {
    const number = this.#count + 1
    const onFailure = (error: unknown): void => this.#onFailure('record a call', error)
    const bounds = [this.#texts, this.#maxPayloadBytes] as const
    const entry = new StoredExchange(number, context, plan, usage, ...bounds, onFailure, compareRecording)
    this.#ring[this.#indexOf(number)] = entry
    this.#count = number
    if (entry.largeBytes > 0) this.#keepLarge(entry)
    return entry
  }

  /** Keeps a large plan in place of the oldest ones, if it has room at all. */
  #keepLarge(added: StoredExchange): void {
    const room = Math.ceil(this.#maxBytes * MAX_LARGE_SHARE)
    if (added.largeBytes > room) {
      const most = room.toLocaleString('en')
      return added.dropLargePlan(
        `the answer is too large for the journal, which keeps up to ${most} bytes of one (--journal-bytes)`,
      )
    }
    let bytes = 0
    for (const entry of [...this].reverse()) {
      bytes += entry.largeBytes
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
    const kept = this.#hasGaps ? [...this].length : this.#count - this.#first + 1
    return { kept, total: this.#count - this.#cleared }
  }

  /** The number of calls that had no room any more since the journal was cleared. */
  get dropped(): number {
    return this.#first - 1 - this.#cleared
  }

  /** The number of kept exchanges that have lost their bodies and timelines to later ones. */
  get withoutPayload(): number {
    return this.#ring.filter(({ hasLostTexts }) => hasLostTexts).length
  }

  /** @param isRestart true if calls are counted from 1 again. */
  clear(isRestart = false): void {
    this.#ring = []
    this.#hasGaps = false
    if (isRestart) this.#count = 0
    this.#cleared = this.#count
    this.#texts = new TextRing(this.#maxBytes)
  }

  /** Removes the calls of a session. */
  clearSession(session: string): void {
    this.#hasGaps = true
    for (const [index, entry] of this.#ring.entries()) if (entry?.session === session) delete this.#ring[index]
  }

  get #first(): number {
    return Math.max(this.#cleared, this.#count - this.#maxEntries) + 1
  }

  #indexOf(number: number): number {
    return (number - this.#cleared - 1) % this.#maxEntries
  }
}
