/**
 * Seeded draws. A generator is named by what it is for, so that no draw depends on how many came before it elsewhere.
 *
 * The generator is Johannes Baagøe's Alea from the package seedrandom: additions and multiplications of doubles
 * only, so its numbers are the same in every engine.
 */
import alea from 'seedrandom/lib/alea.js'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A stream of seeded numbers. */
export class Random {
  readonly #next: () => number

  /** @param name the seed and the purpose, joined: equal names give equal streams. */
  constructor(name: string) {
    this.#next = alea(name)
  }

  /** A number in [0, 1). */
  fraction(): number {
    return this.#next()
  }

  /** A whole number in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.#next() * bound)
  }

  /** `length` characters of A-Z, a-z and 0-9. */
  alphanumeric(length: number): string {
    let text = ''
    for (let i = 0; i < length; i++) text += ALPHANUMERIC[Math.floor(this.#next() * ALPHANUMERIC.length)]
    return text
  }

  /** `length` characters of 0-9 and a-f, eight to a draw. */
  hex(length: number): string {
    let text = ''
    while (text.length < length) text += this.below(0x100000000).toString(16).padStart(8, '0')
    return text.slice(0, length)
  }
}
