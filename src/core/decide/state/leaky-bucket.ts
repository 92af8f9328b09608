/**
 * One rate and how much of it is used: a leaky bucket as a meter (ITU-T I.371). A use fills the bucket, and it drains
 * evenly, a full bucket per window. A use that would overflow it does not fit.
 *
 * The bucket counts parts, in whole numbers: with rounding, a call one millisecond early could pass.
 * - A unit (one request or token) is as many parts as the window has nanoseconds.
 * - So each nanosecond drains as many parts as the rate has units.
 * - A full bucket is units x window parts.
 */
import type { Rate } from '../../scenario/compile/limits.ts'

/** The level of a bucket at a time. */
export interface BucketLevel {
  readonly limit: number
  /** Used at that time, rounded up; above the limit when calls used more than they had reserved. */
  readonly used: number
  /** Number of units that still fit, rounded down. */
  readonly remaining: number
  /** Time until nothing is used, in milliseconds. */
  readonly resetMs: number
}

/** A bucket as deciding sees it. */
export type BucketReader = Pick<LeakyBucket, 'rate' | 'waitMs' | 'read'>

/** Times are in milliseconds of a clock, with fractions down to a nanosecond. */
export class LeakyBucket {
  readonly rate: Rate
  readonly #partsPerUnit: bigint
  readonly #partsPerNanosecond: bigint
  readonly #size: bigint
  /** The level, and the time at which it was so, in nanoseconds; `use` and `load` change both. */
  #parts = 0n
  #at = 0n

  constructor(rate: Rate) {
    this.rate = rate
    this.#partsPerUnit = nanoseconds(rate.windowMs)
    this.#partsPerNanosecond = BigInt(rate.amount)
    this.#size = this.#partsPerNanosecond * this.#partsPerUnit
  }

  /**
   * Time until `count` more fit, in milliseconds; 0 if they fit now. Exact to the nanosecond up to 49 days; a longer one
   * is rounded up to a whole millisecond, so that a client that waits it is never early.
   */
  waitMs(count: number, now: number): number {
    const excess = this.#partsAt(nanoseconds(now)) + BigInt(count) * this.#partsPerUnit - this.#size
    return excess <= 0n ? 0 : this.#drainMs(excess)
  }

  /** Uses `count`, even if they do not fit; a negative count gives back, at most what is used. */
  use(count: number, now: number): void {
    const at = nanoseconds(now)
    const parts = this.#partsAt(at) + BigInt(count) * this.#partsPerUnit
    this.#parts = parts > 0n ? parts : 0n
    if (at > this.#at) this.#at = at
  }

  /** Takes over the level of a store, at a time of this bucket's clock. @param level in units x milliseconds of the window */
  load(level: number, now: number): void {
    this.#parts = BigInt(level) * BigInt(NANOSECONDS)
    this.#at = nanoseconds(now)
  }

  /** The level as it would be with `extra` more used. */
  read(now: number, extra = 0): BucketLevel {
    const parts = this.#partsAt(nanoseconds(now)) + BigInt(extra) * this.#partsPerUnit
    return {
      limit: this.rate.amount,
      used: Number(ceilDivide(parts, this.#partsPerUnit)),
      remaining: parts < this.#size ? Number((this.#size - parts) / this.#partsPerUnit) : 0,
      resetMs: this.#drainMs(parts),
    }
  }

  /** The level at a time. Calls of one arrival may be settled late, so `at` may be before the last use. Then nothing drains. */
  #partsAt(at: bigint): bigint {
    if (at <= this.#at) return this.#parts
    const parts = this.#parts - (at - this.#at) * this.#partsPerNanosecond
    return parts > 0n ? parts : 0n
  }

  #drainMs(parts: bigint): number {
    const ns = ceilDivide(parts, this.#partsPerNanosecond)
    return ns <= MAX_EXACT ? Number(ns) / NANOSECONDS : Number(ceilDivide(ns, BigInt(NANOSECONDS)))
  }
}

/** Nanoseconds in a millisecond. */
const NANOSECONDS = 1_000_000

/** Beyond 2 ** 32 ms (49 days) a double that counts milliseconds no longer has room for nanoseconds. */
const MAX_EXACT = 2n ** 32n * BigInt(NANOSECONDS)

// Whole milliseconds are converted apart from their fraction: the product of both would lose nanoseconds.
function nanoseconds(ms: number): bigint {
  const whole = Math.floor(ms)
  return BigInt(whole) * BigInt(NANOSECONDS) + BigInt(Math.round((ms - whole) * NANOSECONDS))
}

const ceilDivide = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor
