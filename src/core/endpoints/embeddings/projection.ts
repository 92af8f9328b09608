/**
 * From weighted features to a dense vector in which similar texts stay similar.
 *
 * 1. Signed feature hashing (Weinberger et al. 2009, "Feature Hashing for Large Scale Multitask Learning"): each
 *    feature is added to, or taken from, four of 2,048 places that its hash picks. Inner products survive on average.
 * 2. Seeded signs and a fast Walsh-Hadamard transform (Ailon and Chazelle 2006, the fast Johnson-Lindenstrauss
 *    transform): a rotation that spreads each place over all coordinates. So the vector is dense, looks like a real
 *    one, and any prefix of it keeps the angles, the better the longer it is (an error of about 1/sqrt(length)).
 *
 * Only whole numbers are added and subtracted, so the result is exact. Beyond 2,048 coordinates the same places are
 * rotated once more with other signs.
 */
import { mix32 } from '../../random/hash.ts'

/** The number of places, and of coordinates in one rotation. A power of two. */
const PLACES = 2048
const PLACE_BITS = 11
const PLACE_MASK = PLACES - 1

/** The sum of a text's features over 2,048 places. */
export class Sketch {
  // Doubles hold whole numbers up to 2^53 exactly; 32-bit integers could overflow in a very long text.
  readonly #places = new Float64Array(PLACES)

  /** Adds a feature to four places. Two of them and their signs come from each scrambled hash. */
  add(hash: number, weight: number): void {
    const first = mix32(hash)
    const second = mix32(first + 0x9e3779b9)
    this.#addTwo(first, weight)
    this.#addTwo(second, weight)
  }

  #addTwo(bits: number, weight: number): void {
    const places = this.#places
    places[bits & PLACE_MASK]! += weight * sign(bits)
    places[(bits >>> PLACE_BITS) & PLACE_MASK]! += weight * sign(bits << 1)
  }

  /** The Euclidean length. 0 only if nothing was added, or all cancelled out. */
  length(): number {
    let squares = 0
    for (let i = 0; i < PLACES; i++) squares += this.#places[i]! * this.#places[i]!
    return Math.sqrt(squares)
  }

  /** `count` coordinates, rotated by `key`; on average each has the length of the sketch as its root mean square. */
  rotate(key: number, count: number): Float64Array {
    const coordinates = new Float64Array(Math.ceil(count / PLACES) * PLACES)
    for (let start = 0; start < coordinates.length; start += PLACES) {
      const block = coordinates.subarray(start, start + PLACES)
      for (let i = 0; i < PLACES; i++) block[i] = this.#places[i]! * sign(mix32(key + start + i))
      transform(block)
    }
    return coordinates.subarray(0, count)
  }
}

/** 1 or -1 by the top bit. By arithmetic, because a branch on random bits is mispredicted half of the time. */
function sign(bits: number): number {
  return 1 + ((bits >> 31) << 1)
}

/**
 * The Walsh-Hadamard transform in place, not normalised: it multiplies the length by sqrt(PLACES). One stage for each
 * of the 11 bits of a place; all but the first in twos, which halves the reads and writes.
 */
function transform(values: Float64Array): void {
  for (let i = 0; i < values.length; i += 2) {
    const a = values[i]!
    const b = values[i + 1]!
    values[i] = a + b
    values[i + 1] = a - b
  }
  for (let quarter = 2; quarter < values.length; quarter *= 4) {
    for (let start = 0; start < values.length; start += 4 * quarter) {
      for (let i = start; i < start + quarter; i++) {
        const a = values[i]! + values[i + quarter]!
        const b = values[i]! - values[i + quarter]!
        const c = values[i + 2 * quarter]! + values[i + 3 * quarter]!
        const d = values[i + 2 * quarter]! - values[i + 3 * quarter]!
        values[i] = a + c
        values[i + quarter] = b + d
        values[i + 2 * quarter] = a - c
        values[i + 3 * quarter] = b - d
      }
    }
  }
}
