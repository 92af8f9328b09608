/**
 * Fast 32-bit hashes that are the same in every engine, for feature hashing and fingerprints, not for secrets; and letters of
 * ids, which are drawn by hash.
 */

/**
 * Scrambles 32 bits so that every bit of the result depends on every bit of `x`; no two inputs share a result.
 * The finaliser of MurmurHash3 (Austin Appleby, public domain). `mix32(0)` is 0.
 * @returns a whole number in [0, 2^32).
 */
export function mix32(x: number): number {
  let mixed = x ^ (x >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * One step of MurmurHash3's body: takes a whole number of up to 32 bits into a running hash. Not scrambled enough to
 * be used by itself; finish with `mix32`.
 * @returns a signed 32-bit number, the new running hash.
 */
export function absorb(hash: number, value: number): number {
  let block = Math.imul(value, 0xcc9e2d51)
  block = Math.imul((block << 15) | (block >>> 17), 0x1b873593)
  const turned = hash ^ block
  return (Math.imul((turned << 13) | (turned >>> 19), 5) + 0xe6546b64) | 0
}

/**
 * Hashes a text as its UTF-16 code units, so any JavaScript string will do, lone surrogates included. The steps are
 * MurmurHash3's with one code unit a block; different seeds give independent hashes.
 * @param seed a whole number, of which 32 bits count.
 * @returns a whole number in [0, 2^32).
 * @example hash32('hello', 1) !== hash32('hello', 2)
 */
export function hash32(text: string, seed: number): number {
  let hash = seed | 0
  for (let i = 0; i < text.length; i++) hash = absorb(hash, text.charCodeAt(i))
  return mix32(hash ^ text.length)
}

/** 64 bits of hash as a short text of letters and digits. */
export const hashName = (text: string): string => hash32(text, 1).toString(36) + hash32(text, 2).toString(36)

/** The letters of an id. */
interface Alphabet {
  readonly letters: string
  /** Number of letters that are taken from one draw. */
  readonly perDraw: number
}

/** Letters of 0-9 and a-f. */
export const HEX: Alphabet = { letters: '0123456789abcdef', perDraw: 8 }
/** Letters of A-Z, a-z and 0-9. 32 bits are enough for four of them without a visible bias, not for five. */
export const ALPHANUMERIC: Alphabet = {
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  perDraw: 4,
}
// 2^32 divided by the golden ratio, as in Weyl sequences, so that the draws of neighbouring seeds do not overlap.
const STEP = 0x9e3779b9

/**
 * Draws letters: `new IdDraws(1, 2).letters(HEX, 8)` is always `18f94a6f`. The n-th draw is a hash of 64 bits and n. Every call
 * draws ids, and setting up a generator would cost it more.
 */
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

  letters({ letters, perDraw }: Alphabet, length: number): string {
    // Building a string from an array of codes is the fastest way.
    const codes = new Array<number>(length)
    let rest = 0
    for (let index = 0; index < length; index++) {
      if (index % perDraw === 0) rest = this.next()
      // The quotient fits in 31 bits. The operators % and Math.floor of larger numbers take five times as long.
      const quotient = (rest / letters.length) | 0
      codes[index] = letters.charCodeAt(rest - quotient * letters.length)
      rest = quotient
    }
    return String.fromCharCode.apply(null, codes)
  }
}
