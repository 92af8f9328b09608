/**
 * The limits of an engine that a store counts, for scenarios with `limits.shared`.
 *
 * A call that needs the store throws `NotReserved`, and the queue asks for it. With the answer the call is decided again:
 * the levels of the store are loaded first, and a reservation that the decision did not use is given back. When the call
 * has ended, the store gets the tokens that it really used.
 */
import type { Call } from '../core/decide/call/call-context.ts'
import type { Effect } from '../core/decide/state/apply-effects.ts'
import {
  type LimitAnswer,
  type LimitRequest,
  NotReserved,
  type ReservationSource,
} from '../core/decide/state/shared-limits.ts'
import { hashName } from '../core/lib/random/hash.ts'
import { type Allowance, type Preparation, SlicedPreparation, Unfinished } from '../core/lib/work/preparation.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import type { LimitStore, OpenLimitStore } from '../limit-store/limit-store.ts'
import type { BugReports } from './bug-reports.ts'
import type { Exchange } from './exchange.ts'

/** What the store has answered for a call. */
interface Answered {
  readonly request: LimitRequest
  readonly answer: LimitAnswer
  /** How many resets came before the question. */
  readonly resets: number
}

/** Asks a store. Never rejects. */
export type AskStore = (request: LimitRequest) => Promise<Answered>

/** The preparation of a call that may have to ask a store. */
export class StoredPreparation extends SlicedPreparation implements ReservationSource {
  /** Undefined until the store was asked. */
  answered: Answered | undefined
  readonly #ask: AskStore

  constructor(allowance: Allowance, ask: AskStore) {
    super(allowance)
    this.#ask = ask
  }

  reserve(request: LimitRequest): LimitAnswer {
    if (this.answered === undefined) throw new NotReserved(request)
    return this.answered.answer
  }

  /** Asks the store, so that the call can be decided again. */
  async ask({ request }: NotReserved): Promise<void> {
    this.answered = await this.#ask(request)
  }
}

/** The engine whose limits these are. */
interface LimitsHost {
  /** Whether its time is that of the store. */
  readonly isRealTime: boolean
  readonly bugs: BugReports
  /** Decides a call now. @throws Unfinished when a computation has to run first, NotReserved when the store has to be asked. */
  begin(call: Call, preparation: Preparation): Exchange
  /** Applies the effects of a call. Never throws. */
  apply(effects: readonly Effect[]): void
}

export class StoredLimits {
  readonly #open: OpenLimitStore
  readonly #host: LimitsHost
  #store: LimitStore | undefined
  /** The stores of scenarios before, whose calls have not ended. */
  readonly #retired = new Set<LimitStore>()
  #url: string | undefined
  /** The scenario's counters in the store. */
  #space = ''
  #resets = 0

  constructor(open: OpenLimitStore, host: LimitsHost) {
    this.#open = open
    this.#host = host
  }

  /** Prepares the store of a scenario, and closes another one. @throws MockError when the scenario cannot be used here. */
  use({ source, sharedLimits }: Scenario): void {
    if (sharedLimits?.url !== this.#url) {
      const store = sharedLimits && this.#openStore(sharedLimits.url)
      if (this.#store !== undefined) this.#retire(this.#store)
      this.#store = store
      this.#url = sharedLimits?.url
    }
    // Not its name: the same scenario may come from a file, from code, or over the control plane.
    if (sharedLimits !== undefined) this.#space = hashName(JSON.stringify(source))
  }

  #retire(store: LimitStore): void {
    this.#retired.add(store)
    void store.retire().then(() => this.#retired.delete(store))
  }

  #openStore(url: string): LimitStore {
    if (!this.#host.isRealTime) {
      throw new MockError(
        'unsupported-scenario',
        'limits.shared needs real time, because the store counts in it. Remove it from the scenario, or create the mock without the options clock and speed (--speed).',
      )
    }
    return this.#open(url, (line) => console.error(`limits.shared: ${line}`))
  }

  /** Empties the counters of the scenario, for all processes. */
  reset(): void {
    this.#resets++
    this.#store?.reset(this.#space)
  }

  readonly ask: AskStore = async (request) => {
    const resets = this.#resets
    try {
      // A scenario with another store, or none, may have been applied since the call was decided.
      if (this.#store === undefined) throw new Error('the scenario was changed')
      return { request, resets, answer: await this.#store.reserve(this.#space, request) }
    } catch (error) {
      return { request, resets, answer: { problem: (error as Error).message } }
    }
  }

  /** Decides a call, with what the store has answered for it. */
  readonly begin = (call: Call, preparation: Preparation): Exchange => {
    const { begin, bugs } = this.#host
    // Most calls ask no store.
    if (!(preparation instanceof StoredPreparation) || preparation.answered === undefined)
      return begin(call, preparation)
    try {
      this.#load(preparation, call.now)
      const exchange = begin(call, preparation)
      const usedId = exchange.decision.reservation?.sharedId
      bugs.guard('give a reservation back', () => this.#releaseUnlessUsed(preparation, usedId))
      return exchange
    } catch (error) {
      // A call with unfinished computations is decided again, and may use it then.
      if (!(error instanceof Unfinished)) this.#releaseUnlessUsed(preparation, undefined)
      throw error
    }
  }

  /** Loads the levels of the store into the session. An answer from before a reset is dropped, so the store is asked again. */
  #load(preparation: StoredPreparation, now: number): void {
    const { request, answer, resets } = preparation.answered!
    if (resets !== this.#resets) {
      this.#releaseUnlessUsed(preparation, undefined)
      preparation.answered = undefined
    } else if (!('problem' in answer)) {
      const { sessionId, limits } = request
      this.#host.apply([{ type: 'load-limits', sessionId, limits, levels: answer.levels, now }])
    }
  }

  /** Gives the reservation of a call back whole, unless the decision has used it. */
  #releaseUnlessUsed({ answered }: StoredPreparation, usedId: string | undefined): void {
    if (answered === undefined || 'problem' in answered.answer) return
    const { reservationId } = answered.answer
    if (reservationId === undefined || reservationId === usedId) return
    for (const store of this.#all) store.release(reservationId)
  }

  /** A call with a reservation has ended. */
  settle(reservationId: string, usedTokens: number): void {
    for (const store of this.#all) store.settle(reservationId, usedTokens)
  }

  connect(): void {
    this.#store?.connect()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((store) => store.close()))
  }

  /** Each knows its own reservations only. */
  get #all(): Iterable<LimitStore> {
    return this.#store === undefined ? this.#retired : [this.#store, ...this.#retired]
  }
}
