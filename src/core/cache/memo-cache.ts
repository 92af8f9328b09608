/**
 * What was worked out of texts, for those that come again: roles, names, and the texts of tests, retries and load.
 *
 * Bounded in number and in length. When it is full, all is forgotten: that costs nothing per call, and what is in use is
 * soon back. For functions of the text alone, where it changes no answer.
 */
export class MemoCache<Value> {
  readonly #most: number
  readonly #longest: number
  #values = new Map<string, Value>()

  /**
   * @param most how many values are kept.
   * @param longest the characters of the longest text whose value is.
   */
  constructor(most: number, longest: number) {
    this.#most = most
    this.#longest = longest
  }

  /** The value of a text: the one that is kept, or one that is made now. */
  of(text: string, make: () => Value): Value {
    if (text.length > this.#longest) return make()
    const known = this.#values.get(text)
    if (known !== undefined) return known
    if (this.#values.size >= this.#most) this.#values = new Map()
    const made = make()
    this.#values.set(text, made)
    return made
  }
}
