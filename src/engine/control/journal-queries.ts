/** Queries about the calls in the journal of a mock, or of one session of it. Reading changes nothing. */

import type { JournalEntry } from '../../core/journal/entry.ts'
import { type CallFilter, compileFilter } from '../../core/journal/filter.ts'
import type { FilterOptions } from '../../core/journal/filter-fields.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { StoredExchange } from '../../core/journal/stored-exchange.ts'
import { checkObject } from '../../core/protocol/errors/check-options.ts'
import type { Clock } from '../clock/clock.ts'

export class JournalQueries {
  readonly #journal: Journal
  readonly #clock: Clock
  /** The only session whose calls it has; undefined for all. */
  readonly #session: string | undefined

  constructor(journal: Journal, clock: Clock, session?: string) {
    this.#journal = journal
    this.#clock = clock
    this.#session = session
  }

  /** The exchanges of the journal as they are stored, oldest first. */
  get exchanges(): readonly StoredExchange[] {
    const ofAll = [...this.#journal]
    return this.#session === undefined ? ofAll : ofAll.filter((exchange) => this.has(exchange))
  }

  /** True if a call is of its session. */
  has({ session }: Pick<JournalEntry, 'session'>): boolean {
    return this.#session === undefined || session === this.#session
  }

  /** A call by its number; undefined when it is not in the journal any more. */
  stored(number: number): StoredExchange | undefined {
    const exchange = this.#journal.find(number)
    return exchange !== undefined && this.has(exchange) ? exchange : undefined
  }

  /** Copies of the exchanges for users, each as it is now. */
  get entries(): readonly JournalEntry[] {
    return this.exchanges.map((exchange) => exchange.toJSON())
  }

  /**
   * The stored calls that match a filter. Copying them all at once takes a second where their bodies are large.
   * @throws FilterError when the filter has an unknown name or a wrong value.
   */
  find(filter: CallFilter, options: Pick<FilterOptions, 'compilePattern'> = {}): readonly StoredExchange[] {
    checkObject('calls', 'the filter', filter)
    const { matches } = compileFilter(filter, { now: this.#clock.now(), ...options })
    return this.exchanges.filter(matches)
  }

  /** Calls that the journal no longer has: those that were dropped, and those that are without body and timeline. */
  get missingCalls(): { readonly dropped: number; readonly withoutPayload: number } {
    const { dropped, withoutPayload } = this.#journal
    return { dropped, withoutPayload }
  }

  /** The number of calls since the journal was cleared, and of those that are kept. */
  get counts(): { readonly kept: number; readonly total: number } {
    if (this.#session === undefined) return this.#journal.counts
    const { length } = this.exchanges
    return { kept: length, total: length }
  }
}
