/**
 * Measures how exact the mock's own waits are.
 *
 * The pacing error is the time between the due end of a wait and its real end, in real milliseconds. The event-loop lag
 * is how long the process was too busy to run anything; a server measures it from its first wait on.
 */
import { Histogram } from '../../core/journal/histogram.ts'

/** Above these p99 values, in milliseconds, a measurement says as much about the machine as about the client. */
export const MAX_ERROR_MS = 10
export const MAX_LAG_MS = 20

/** Twelve in each octave from 0.01 ms on: a quantile is at most 6% above the exact value, and never below it. */
const BOUNDS = Array.from({ length: 28 * 12 - 1 }, (_, index) => 0.00001 * 2 ** (index / 12))

/** Percentiles of durations in milliseconds, rounded to microseconds. */
export interface Percentiles {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Measures the event loop, where that is possible. */
export interface LoopWatch {
  /** Does nothing if it is started already. */
  start(): void
  reset(): void
  /** The times for which the loop was blocked; undefined before the start. */
  percentiles(): Percentiles | undefined
}

/** Times are real milliseconds since the start or the last reset. */
export interface TimingReport {
  /** Number of waits that have ended. */
  readonly waits: number
  readonly errorMs: Percentiles
  /** Null when it is not measured: in process, and before the first wait. */
  readonly eventLoopLagMs: Percentiles | null
  /** False when the p99 of the pacing error is above 10 ms, or that of the event-loop lag above 20 ms. */
  readonly valid: boolean
  /** `valid` as a sentence, with the reason. */
  readonly verdict: string
}

export class Timing {
  /** The pacing errors. `reset` replaces it. */
  #errors = new Histogram(BOUNDS)
  readonly #onFailure: (task: string, error: unknown) => void
  /** Set by a server. */
  #loop: LoopWatch | undefined

  /** @param onFailure is given what `record` could not do: measuring must not break an answer. */
  constructor(onFailure: (task: string, error: unknown) => void = () => {}) {
    this.#onFailure = onFailure
  }

  /** Adds the lag of the event loop to the report from now on. */
  watchLoop(loop: LoopWatch): void {
    this.#loop = loop
  }

  /** @param lateMs real milliseconds from the due end of a wait to its end; negative if it ended early. */
  record(lateMs: number): void {
    try {
      this.#loop?.start()
      this.#errors.observe(Math.abs(lateMs))
    } catch (error) {
      this.#onFailure('measure a wait', error)
    }
  }

  report(): TimingReport {
    const { count: waits, max } = this.#errors
    const [p50, p99] = [this.#errors.quantile(0.5), this.#errors.quantile(0.99)]
    const errorMs = { p50: toMilliseconds(p50), p99: toMilliseconds(p99), max: toMilliseconds(max) }
    const eventLoopLagMs = this.#loop?.percentiles() ?? null
    const problems: string[] = []
    if (errorMs.p99 > MAX_ERROR_MS)
      problems.push(`the p99 of the pacing error is ${errorMs.p99} ms, above ${MAX_ERROR_MS} ms`)
    if (eventLoopLagMs !== null && eventLoopLagMs.p99 > MAX_LAG_MS)
      problems.push(`the p99 of the event-loop lag is ${eventLoopLagMs.p99} ms, above ${MAX_LAG_MS} ms`)
    const valid = problems.length === 0
    let verdict = 'results valid'
    if (!valid)
      verdict = `results invalid: ${problems.join('; ')}. Send fewer calls at once, or give the mock a core of its own.`
    else if (waits === 0) verdict = 'nothing measured: no answer has waited yet'
    return { waits, errorMs, eventLoopLagMs, valid, verdict }
  }

  reset(): void {
    this.#errors = new Histogram(BOUNDS)
    this.#loop?.reset()
  }
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1_000_000) / 1000
