/**
 * Projects weighted features to a dense vector in which similar texts stay similar.
 *
 * 1. Signed feature hashing (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"): each
 *    feature is added to, or subtracted from, four of 2,048 sums that its hash picks. This keeps inner products on average.
 * 2. Seeded signs and a fast Walsh-Hadamard transform (Ailon and Chazelle 2006, the fast Johnson-Lindenstrauss
 *    transform): a rotation that spreads each sum over all coordinates. The vector is then dense, as real ones are, and
 *    any prefix of it keeps the angles, with an error of about 1/sqrt(length).
 *
 * It only adds and subtracts whole numbers, so the result is exact. Each further block of 2,048 coordinates rotates the
 * same sums with other signs.
 */
import { mix32 } from '../random/hash.ts'

/** The number of sums, and of coordinates in one rotation. A power of two. */
const SUMS = 2048
const SUM_BITS = 11
const SUM_MASK = SUMS - 1

/** The features of a text, added up in 2,048 sums: `add` each of them, and then `rotate` once. */
export class Sketch {
  // Doubles hold whole numbers up to 2^53 exactly; 32-bit integers could overflow in a very long text.
  readonly #sums = new Float64Array(SUMS)

  /** Adds a feature to four sums. Each of two scrambled hashes picks two sums and their signs. */
  add(hash: number, weight: number): void {
    const first = mix32(hash)
    // Any odd constant would do; this is 2^32 divided by the golden ratio.
    const second = mix32(first + 0x9e3779b9)
    this.#addTwo(first, weight)
    this.#addTwo(second, weight)
  }

  #addTwo(bits: number, weight: number): void {
    const sums = this.#sums
    sums[bits & SUM_MASK]! += weight * sign(bits)
    sums[(bits >>> SUM_BITS) & SUM_MASK]! += weight * sign(bits << 1)
  }

  /** The Euclidean length. 0 if nothing was added or everything cancelled out. */
  length(): number {
    let squares = 0
    for (let i = 0; i < SUMS; i++) squares += this.#sums[i]! * this.#sums[i]!
    return Math.sqrt(squares)
  }

  /** `count` coordinates, rotated by `key`. Their root mean square is about the length of the sketch. */
  rotate(key: number, count: number): Float64Array {
    const coordinates = new Float64Array(Math.ceil(count / SUMS) * SUMS)
    for (let start = 0; start < coordinates.length; start += SUMS) {
      const block = coordinates.subarray(start, start + SUMS)
      for (let i = 0; i < SUMS; i++) block[i] = this.#sums[i]! * sign(mix32(key + start + i))
      transform(block)
    }
    return coordinates.subarray(0, count)
  }
}

/** 1 or -1 by the top bit. Without a branch, which random bits would make mispredict half of the time. */
function sign(bits: number): number {
  return 1 + ((bits >> 31) << 1)
}

/** The Walsh-Hadamard transform in place, not normalised: it multiplies the length by sqrt(SUMS). */
function transform(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let i = start; i < start + half; i++) {
        const a = values[i]!
        const b = values[i + half]!
        values[i] = a + b
        values[i + half] = a - b
      }
    }
  }
}
