/**
 * Draws letters for the ids of a response: `new IdDraws(1, 2).letters(HEX, 8)` is always `18f94a6f`.
 *
 * The n-th draw is a hash of 64 bits and n. Every call draws ids, and setting up a generator would cost it more.
 */

import { mix32 } from './hash.ts'

interface Alphabet {
  readonly codes: readonly number[]
  /** Number of letters that are taken from one draw. */
  readonly perDraw: number
}

/** Letters of 0-9 and a-f. */
export const HEX: Alphabet = { codes: codesOf('0123456789abcdef'), perDraw: 8 }
/** Letters of A-Z, a-z and 0-9. 32 bits are enough for four of them without a visible bias, not for five. */
export const ALPHANUMERIC: Alphabet = {
  codes: codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'),
  perDraw: 4,
}
// 2^32 divided by the golden ratio, as in Weyl sequences, so that the draws of neighbouring seeds do not overlap.
const STEP = 0x9e3779b9

export class IdDraws {
  #state: number
  readonly #high: number

  /** @param low and high are whole numbers in [0, 2^32). */
  constructor(low: number, high: number) {
    this.#state = low
    this.#high = high
  }

  /** A whole number in [0, 2^32). */
  next(): number {
    this.#state = (this.#state + STEP) | 0
    return mix32(this.#high ^ mix32(this.#state))
  }

  letters({ codes: alphabet, perDraw }: Alphabet, length: number): string {
    // Building a string from an array of codes is the fastest way.
    const codes = new Array<number>(length)
    let rest = 0
    for (let index = 0; index < length; index++) {
      if (index % perDraw === 0) rest = this.next()
      // The quotient fits in 31 bits. The operators % and Math.floor of larger numbers take five times as long.
      const quotient = (rest / alphabet.length) | 0
      codes[index] = alphabet[rest - quotient * alphabet.length]!
      rest = quotient
    }
    return String.fromCharCode.apply(null, codes)
  }
}

function codesOf(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
