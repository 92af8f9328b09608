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
/** Makes the draw of a null turn independent of the draw of the first option. */
const NULL_SALT = 7919

export class ChoiceSequence {
  /** The number of combinations of the branch points met so far: each multiplies it by its options. */
  combinations = 1
  readonly attempt: number
  readonly #salt: number
  /** The digits of the attempt that no branch point has taken yet. */
  #digits: number
  /** The number of branch points met so far. */
  #points = 0

  /** @param salt a seeded number: where each branch point begins. */
  constructor(attempt: number, salt: number) {
    this.attempt = attempt
    this.#digits = Math.max(0, attempt - 1)
    this.#salt = salt
  }

  /** The options in their order, from the seeded one of the next branch point on. */
  rotate<Option>(options: readonly Option[]): Option[] {
    return rotate(options, mix32(this.#salt + this.#points) % options.length)
  }

  /** Takes one of the options at the next branch point: the first one in the first attempt, then the others. */
  takeInOrder<Option>(options: readonly Option[]): Option {
    const option = options[this.#digits % options.length]!
    this.#digits = Math.floor(this.#digits / options.length)
    this.combinations *= options.length
    this.#points += 1
    return option
  }

  /** Takes one of the options at the next branch point, a seeded one first. Nulls are last, or first where `isNullTurn`. */
  takeSeeded<Option>(options: readonly Option[], isNull: (option: Option) => boolean): Option {
    const values = options.filter((option) => !isNull(option))
    const nulls = options.filter(isNull)
    if (values.length === 0 || nulls.length === 0) return this.takeInOrder(this.rotate(options))
    return this.takeInOrder(this.isNullTurn ? [...nulls, ...values] : [...this.rotate(values), ...nulls])
  }

  /** True if the next branch point begins with null: in attempt 0, and only at one in `VALUES_PER_NULL` points. */
  get isNullTurn(): boolean {
    return this.attempt === 0 && mix32(this.#salt + this.#points + NULL_SALT) % VALUES_PER_NULL === 0
  }
}
