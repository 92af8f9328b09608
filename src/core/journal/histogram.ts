/**
 * A histogram of durations, with fixed buckets: with the bounds 0.1 and 1 second, three durations of 50, 60 and 2,000 ms have
 * the counts 2, 0 and 1.
 * @see https://prometheus.io/docs/concepts/metric_types/#histogram
 */

export class Histogram {
  /** Upper bounds of the buckets, in seconds, in ascending order. */
  readonly bounds: readonly number[]
  /** Number of durations in each bucket, and last of those above all bounds. Whole numbers; 32 bits would not last a day. */
  readonly counts: Float64Array
  /** The sum of all durations, in seconds. */
  sum = 0
  /** The longest duration, in seconds. */
  max = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  /** @param ms from 0; a clock that went back counts as 0, because a sum must never fall. */
  observe(ms: number): void {
    const seconds = ms > 0 ? ms / 1000 : 0
    let bucket = 0
    while (bucket < this.bounds.length && seconds > this.bounds[bucket]!) bucket++
    this.counts[bucket]!++
    this.sum += seconds
    if (seconds > this.max) this.max = seconds
  }

  get count(): number {
    return this.counts.reduce((sum, count) => sum + count)
  }

  /** The upper bound of the bucket that a quantile falls in, in seconds; 0 without durations. */
  quantile(share: number): number {
    const rank = Math.ceil(this.count * share)
    let bucket = 0
    for (let passed = this.counts[0]!; passed < rank; passed += this.counts[bucket]!) bucket++
    return Math.min(this.bounds[bucket] ?? this.max, this.max)
  }
}
