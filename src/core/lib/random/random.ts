/**
 * Seeded random numbers. Each purpose has a separate generator, so that draws for one do not shift those for another.
 *
 * The generator is George Marsaglia's xor128 from the package seedrandom. It uses 32-bit whole numbers only, so its
 * draws are the same in every engine, and it is the fastest of the package to seed, which every call pays for.
 */

import xor128 from 'seedrandom/lib/xor128.js'
import { ALPHANUMERIC, hash32 } from './hash.ts'

const LETTERS = [...ALPHANUMERIC.letters]
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
const BYTES_IN_HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A stream of seeded numbers. */
export class Random {
  /** A number in [0, 1). */
  readonly fraction: () => number

  /** @param name the seed and the purpose, joined: equal names give equal streams. */
  constructor(name: string) {
    // The first draws of xor128 are similar for similar seeds, so the name is hashed.
    this.fraction = xor128(hex32(hash32(name, 1)) + hex32(hash32(name, 2)))
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.fraction() * bound)
  }

  /** `length` characters of A-Z, a-z and 0-9, two to a draw. */
  alphanumeric(length: number): string {
    let text = ''
    while (text.length < length) text += PAIRS[this.below(PAIRS.length)]
    return text.slice(0, length)
  }

  /** `length` characters of 0-9 and a-f, eight to a draw. */
  hex(length: number): string {
    let text = ''
    while (text.length < length) text += hex32(this.below(0x100000000))
    return text.slice(0, length)
  }
}

/** A whole number in [0, 2^32) as eight characters of 0-9 and a-f. It takes an eighth of the time of `toString(16)` and `padStart`. */
export function hex32(value: number): string {
  return (
    BYTES_IN_HEX[value >>> 24]! +
    BYTES_IN_HEX[(value >>> 16) & 0xff]! +
    BYTES_IN_HEX[(value >>> 8) & 0xff]! +
    BYTES_IN_HEX[value & 0xff]!
  )
}

/** The list from an index on, and then from its start: `rotate(['a', 'b', 'c'], 1)` is `['b', 'c', 'a']`. */
export const rotate = <Item>(list: readonly Item[], start: number): Item[] => [
  ...list.slice(start),
  ...list.slice(0, start),
]
