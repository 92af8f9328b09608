/**
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
