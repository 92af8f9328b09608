/**
 * The sequence of choices that one attempt at a value makes.
 *
 * The number of the attempt is read as digits, one per branch point, the first point changing fastest: counting
 * attempts up tries every combination once, from a seeded one on. Attempt 0 comes before the count and may begin with
 * a rare option.
 */
import { mix32 } from '../../random/hash.ts'

/** Null shows less than a value: it comes once in so many values, or when everything else fails. */
const VALUES_PER_NULL = 8

export class ChoiceSequence {
  /** The number of combinations of the branch points met so far. */
  combinations = 1
  readonly attempt: number
  readonly #salt: number
  #rest: number
  #points = 0

  constructor(attempt: number, salt: number) {
    this.attempt = attempt
    this.#rest = Math.max(0, attempt - 1)
    this.#salt = salt
  }

  /** The options in their order, from a seeded one on. */
  rotate<Option>(options: readonly Option[]): Option[] {
    const start = mix32(this.#salt + this.#points) % options.length
    return [...options.slice(start), ...options.slice(0, start)]
  }

  /** Takes one of the options: the first in the first attempt, then the others. */
  takeInOrder<Option>(options: readonly Option[]): Option {
    const digit = this.#rest % options.length
    this.#rest = Math.floor(this.#rest / options.length)
    this.combinations *= options.length
    this.#points += 1
    return options[digit]!
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
