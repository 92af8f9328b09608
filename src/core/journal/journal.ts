/** The journal: every exchange with its plan and what became of it; bounded by count and by bytes. */

import type { CallContext } from '../call/call-context.ts'
import type { Plan } from '../plan/plan.ts'
import { StoredExchange } from './stored-exchange.ts'
import { TextArena } from './text-arena.ts'

const DEFAULT_ENTRIES = 1000
const DEFAULT_BYTES = 32_000_000
/** What one body or one plan may take of all the room, so that a large one does not drive out all others. */
const MAX_SHARE = 1 / 32

/** The bounds of a journal. */
export interface JournalSettings {
  /** How many exchanges are kept; after that the oldest go. Default: 1,000. */
  readonly entries?: number
  /**
   * How much room bodies of requests and plans of answers may take, in bytes (a character counts as one). Over it, the
   * oldest entries lose theirs. One that alone takes more than a 32nd is not kept. Default: 32,000,000.
   */
  readonly bytes?: number
}

export class Journal {
  readonly #most: number
  readonly #mostBytes: number
  readonly #largest: number
  readonly #shelf = new TextArena()
  /** A ring, which has come round when it has `#most` entries. */
  #ring: StoredExchange[] = []
  #count = 0
  #cleared = 0
  /** The number of the last entry that lost its texts. */
  #lightened = 0
  #bytes = 0

  /** @throws when a bound is no whole number from 1. */
  constructor({ entries = DEFAULT_ENTRIES, bytes = DEFAULT_BYTES }: JournalSettings = {}) {
    for (const [name, value] of Object.entries({ entries, bytes })) {
      if (Number.isSafeInteger(value) && value >= 1) continue
      throw new Error(`Failed to bound the journal: found ${name} ${value}, allowed is a whole number from 1.`)
    }
    this.#most = entries
    this.#mostBytes = bytes
    this.#largest = Math.ceil(bytes * MAX_SHARE)
  }

  add(context: CallContext, plan: Plan): StoredExchange {
    const entry = new StoredExchange(++this.#count, context, plan, this.#shelf, this.#largest)
    const place = this.#placeOf(this.#count)
    const oldest = this.#ring[place]
    this.#bytes += entry.weight - (oldest?.weight ?? 0)
    this.#ring[place] = entry
    oldest?.drop()
    if (this.#bytes > this.#mostBytes) this.#lighten()
    return entry
  }

  /** What is kept, oldest first. */
  *[Symbol.iterator](): Generator<StoredExchange> {
    for (let number = this.#first; number <= this.#count; number++) yield this.#at(number)
  }

  /** The exchange of this number; undefined when it is not kept any more. */
  find(number: number): StoredExchange | undefined {
    return number >= this.#first && number <= this.#count ? this.#at(number) : undefined
  }

  clear(): void {
    for (const entry of this.#ring) entry.drop()
    this.#ring = []
    this.#cleared = this.#count
    this.#bytes = 0
  }

  get #first(): number {
    return Math.max(this.#cleared, this.#count - this.#most) + 1
  }

  #placeOf(number: number): number {
    return (number - this.#cleared - 1) % this.#most
  }

  #at(number: number): StoredExchange {
    return this.#ring[this.#placeOf(number)]!
  }

  /** Takes the texts of the oldest entries until the rest fits. */
  #lighten(): void {
    let number = Math.max(this.#first, this.#lightened + 1)
    for (; number <= this.#count && this.#bytes > this.#mostBytes; number++) {
      const entry = this.#at(number)
      this.#bytes -= entry.weight
      entry.evictPayload()
    }
    this.#lightened = number - 1
  }
}
