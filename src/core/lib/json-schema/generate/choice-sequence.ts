/**
 * The sequence of choices that one attempt at a value makes.
 *
 * A value is attempted until it is valid, and each attempt makes other choices. The number of the attempt is read as
 * digits, one per branch point, the first point changing fastest: with 2 and 3 options, attempts 1 to 6 try every
 * combination once, from a seeded one on. Attempt 0 is like attempt 1, but may begin with a null, which is rare.
 */
import { mix32 } from '../../random/hash.ts'
import { rotate } from '../../random/random.ts'

/** Null shows less than a value: it comes once in so many values, or when everything else fails. */
const VALUES_PER_NULL = 8

export class ChoiceSequence {
  /** The number of combinations of the branch points met so far. */
  combinations = 1
  readonly attempt: number
  readonly #salt: number
  /** The digits of the attempt that no branch point has taken. */
  #digits: number
  #points = 0

  /** @param salt a seeded number: where each branch point begins. */
  constructor(attempt: number, salt: number) {
    this.attempt = attempt
    this.#digits = Math.max(0, attempt - 1)
    this.#salt = salt
  }

  /** The options in their order, from a seeded one on. */
  rotate<Option>(options: readonly Option[]): Option[] {
    return rotate(options, mix32(this.#salt + this.#points) % options.length)
  }

  /** Takes one of the options: the first in the first attempt, then the others. */
  takeInOrder<Option>(options: readonly Option[]): Option {
    const option = options[this.#digits % options.length]!
    this.#digits = Math.floor(this.#digits / options.length)
    this.combinations *= options.length
    this.#points += 1
    return option
  }

  /** Takes one of the options, a seeded one first. Nulls come after all values, but first where `isNullTurn`. */
  takeSeeded<Option>(options: readonly Option[], isNull: (option: Option) => boolean): Option {
    const values = options.filter((option) => !isNull(option))
    const nulls = options.filter(isNull)
    if (values.length === 0 || nulls.length === 0) return this.takeInOrder(this.rotate(options))
    return this.takeInOrder(this.isNullTurn ? [...nulls, ...values] : [...this.rotate(values), ...nulls])
  }

  /** True for the first attempt at one in `VALUES_PER_NULL` values. */
  get isNullTurn(): boolean {
    return this.attempt === 0 && mix32(this.#salt + this.#points + 7919) % VALUES_PER_NULL === 0
  }
}
