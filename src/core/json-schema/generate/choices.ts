/**
 * The choices of one attempt at a value.
 *
 * An attempt's number is read as digits, one for each fork that is met, the first fork changing fastest: so counting
 * the attempts up tries every combination once, and where it begins is seeded. The very first attempt is a whim before
 * the count: it may begin with what is seldom.
 */
import { mix32 } from '../../random/hash.ts'

export class Choices {
  /** How many combinations the forks met so far have. */
  combinations = 1
  readonly attempt: number
  readonly #salt: number
  #rest: number
  #forks = 0

  constructor(attempt: number, salt: number) {
    this.attempt = attempt
    this.#rest = Math.max(0, attempt - 1)
    this.#salt = salt
  }

  /** One of the options; with no attempt made yet, a seeded one. */
  pick<Option>(options: readonly Option[]): Option {
    return this.first(this.rotated(options))
  }

  /** The options in their order, from a seeded one on. */
  rotated<Option>(options: readonly Option[]): Option[] {
    const start = mix32(this.#salt + this.#forks) % options.length
    return [...options.slice(start), ...options.slice(0, start)]
  }

  /** One of the options; with no attempt made yet, the first. */
  first<Option>(options: readonly Option[]): Option {
    const digit = this.#rest % options.length
    this.#rest = Math.floor(this.#rest / options.length)
    this.combinations *= options.length
    this.#forks += 1
    return options[digit]!
  }

  /** True once in `times`, for what is good to see now and then: so in the first attempt only. */
  seldom(times: number): boolean {
    return this.attempt === 0 && mix32(this.#salt + this.#forks + 7919) % times === 0
  }
}
