/**
 * Measures how exact the mock's own waits are.
 *
 * The pacing error is the time between the due end of a wait and its real end, in real milliseconds. The event-loop lag
 * is how long the process was too busy to run anything; a server measures it from its first wait on.
 */

/** Above these p99 values, in milliseconds, a measurement says as much about the machine as about the client. */
export const MAX_ERROR_MS = 10
export const MAX_LAG_MS = 20

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
  readonly #errors = new DurationHistogram()
  readonly #onFailure: (task: string, error: unknown) => void
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
      this.#errors.record(Math.abs(lateMs))
    } catch (error) {
      this.#onFailure('measure a wait', error)
    }
  }

  report(): TimingReport {
    const waits = this.#errors.count
    const errorMs = this.#errors.percentiles()
    const eventLoopLagMs = this.#loop?.percentiles() ?? null
    const problems: string[] = []
    if (errorMs.p99 > MAX_ERROR_MS)
      problems.push(`the p99 of the pacing error is ${errorMs.p99} ms, above ${MAX_ERROR_MS} ms`)
    if (eventLoopLagMs !== null && eventLoopLagMs.p99 > MAX_LAG_MS)
      problems.push(`the p99 of the event-loop lag is ${eventLoopLagMs.p99} ms, above ${MAX_LAG_MS} ms`)
    const valid = problems.length === 0
    const verdict = !valid
      ? `results invalid: ${problems.join('; ')}. Send fewer calls at once, or give the mock a core of its own.`
      : waits === 0
        ? 'nothing measured: no answer has waited yet'
        : 'results valid'
    return { waits, errorMs, eventLoopLagMs, valid, verdict }
  }

  reset(): void {
    this.#errors.reset()
    this.#loop?.reset()
  }
}

/*
 * A histogram of durations of bounded size. Each bucket is a twelfth of an octave wide, so that a quantile is at most 6%
 * above the exact value, and never below it.
 */

const MIN_MS = 0.01
const BUCKETS_PER_DOUBLING = 12
const BUCKETS = 28 * BUCKETS_PER_DOUBLING

/** Percentiles of durations in milliseconds, rounded to microseconds. */
export interface Percentiles {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export class DurationHistogram {
  readonly #counts = new Uint32Array(BUCKETS)
  #count = 0
  #max = 0

  get count(): number {
    return this.#count
  }

  /** @param ms from 0. */
  record(ms: number): void {
    const bucket = ms <= MIN_MS ? 0 : Math.ceil(Math.log2(ms / MIN_MS) * BUCKETS_PER_DOUBLING)
    this.#counts[Math.min(bucket, BUCKETS - 1)]!++
    this.#count++
    if (ms > this.#max) this.#max = ms
  }

  percentiles(): Percentiles {
    return { p50: this.#quantile(0.5), p99: this.#quantile(0.99), max: toMicroseconds(this.#max) }
  }

  reset(): void {
    this.#counts.fill(0)
    this.#count = 0
    this.#max = 0
  }

  /** The upper end of the bucket that the quantile falls in; 0 without durations. */
  #quantile(share: number): number {
    const rank = Math.ceil(this.#count * share)
    let passed = 0
    for (let bucket = 0; bucket < BUCKETS && rank > 0; bucket++) {
      passed += this.#counts[bucket]!
      if (passed < rank) continue
      const end = bucket === BUCKETS - 1 ? this.#max : MIN_MS * 2 ** (bucket / BUCKETS_PER_DOUBLING)
      return toMicroseconds(Math.min(end, this.#max))
    }
    return 0
  }
}

const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000
