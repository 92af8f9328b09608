/**
 * The limits of an engine that a store counts, for scenarios with `limits.shared`.
 *
 * The store is asked between the admission of a call and its answer. When the call has ended, the store gets the tokens
 * that it really used.
 */
import type { LimitAnswer, LimitRequest } from '../core/decide/state/limit-request.ts'
import { Histogram } from '../core/journal/histogram.ts'
import { hashName } from '../core/lib/random/hash.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import type { LimitStore, OpenLimitStore, ReportStore } from '../limit-store/index.ts'

// biome-ignore format: one line
const LATENCY_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

export class StoredLimits {
  readonly #open: OpenLimitStore
  readonly #isRealTime: boolean
  /** The store of the active scenario, and its address; undefined for a scenario without. `use` sets them. */
  #store: LimitStore | undefined
  #storeUrl: string | undefined
  /** The stores of earlier scenarios, whose calls have not ended. */
  readonly #retired = new Set<LimitStore>()
  /** The address that is used in place of those of scenarios: the engine sets it for `--shared-limits`. */
  url: string | undefined
  /** The reason why the store cannot be asked; undefined while it can. The reports of the store change it. */
  problem: string | undefined
  /** Reports a store that goes away or is back. */
  report: ReportStore = (line) => console.error(`limits.shared: ${line}`)
  /** Time until the store answered a reservation, or failed. */
  readonly latency = new Histogram(LATENCY_BOUNDS)
  /** The name of the active scenario's counters in the store. `use` sets it. */
  #space = ''

  /** @param isRealTime true if the time of the engine is that of the store. */
  constructor(open: OpenLimitStore, isRealTime: boolean) {
    this.#open = open
    this.#isRealTime = isRealTime
  }

  /** True if limits are counted in a store. */
  get isUsed(): boolean {
    return this.#store !== undefined
  }

  /**
   * Prepares the store of a scenario, and retires another one. Returns the scenario as it is used.
   * @throws MockError when the scenario cannot be used here.
   */
  use(scenario: Scenario): Scenario {
    const { source, limitsOf } = scenario
    const { url = scenario.sharedLimits?.url } = this
    const hasLimits = scenario.sharedLimits !== undefined || limitsOf !== undefined
    const sharedLimits = url !== undefined && hasLimits ? { ...scenario.sharedLimits, url } : undefined
    if (sharedLimits?.url !== this.#storeUrl) this.#changeStore(sharedLimits?.url)
    // Not its name: the same scenario may come from a file, from code, or over the control plane.
    if (sharedLimits !== undefined) this.#space = hashName(JSON.stringify(source))
    return this.url === undefined ? scenario : { ...scenario, sharedLimits }
  }

  #changeStore(url: string | undefined): void {
    if (url !== undefined && !this.#isRealTime) {
      throw new MockError(
        'unsupported-scenario',
        'limits.shared needs real time, because the store counts in it. Remove it from the scenario, or create the mock without the options clock and speed (--speed).',
      )
    }
    const retired = this.#store
    // Opened first: if that fails, the store before it stays in use.
    this.#store =
      url === undefined
        ? undefined
        : this.#open(url, (line, isUp) => {
            if (url === this.#storeUrl) this.problem = isUp ? undefined : line
            this.report(line, isUp)
          })
    this.#storeUrl = url
    this.problem = undefined
    if (retired === undefined) return
    this.#retired.add(retired)
    void retired.retire().then(() => this.#retired.delete(retired))
  }

  /** Empties the counters of the scenario, for all processes. */
  reset(): void {
    this.#store?.reset(this.#space)
  }

  /** Asks the store to reserve what a call demands. Never rejects. */
  async reserve(request: LimitRequest): Promise<LimitAnswer> {
    const start = performance.now()
    try {
      return await this.#store!.reserve(this.#space, request)
    } catch (error) {
      return { problem: (error as Error).message }
    } finally {
      this.latency.observe(performance.now() - start)
    }
  }

  /** Ends the reservation of a call. Without `usedTokens` it is given back whole, as if there had been no call. */
  settle(reservationId: string, usedTokens?: number): void {
    for (const store of this.#all) store.settle(reservationId, usedTokens)
  }

  connect(): void {
    this.#store?.connect()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all].map((store) => store.close()))
  }

  /** The stores that may have a reservation. Each ignores those of others. */
  get #all(): Iterable<LimitStore> {
    return this.#store === undefined ? this.#retired : [this.#store, ...this.#retired]
  }
}
