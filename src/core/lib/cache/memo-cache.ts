/**
 * Bounded memo cache keyed by text, for pure functions of that text: `counts.of(text, () => countTokens(text))`.
 *
 * When it is full it drops everything: that costs nothing per call, and the entries in use are soon back.
 */
export class MemoCache<Value> {
  readonly #maxSize: number
  readonly #maxLength: number
  #values = new Map<string, Value>()

  /**
   * @param maxSize how many values it keeps.
   * @param maxLength in characters; the values of longer texts are not kept.
   */
  constructor(maxSize: number, maxLength: number) {
    this.#maxSize = maxSize
    this.#maxLength = maxLength
  }

  /** The value of a text, from the cache or from `make`. */
  of(text: string, make: () => Value): Value {
    if (text.length > this.#maxLength) return make()
    const known = this.#values.get(text)
    if (known !== undefined) return known
    if (this.#values.size >= this.#maxSize) this.#values = new Map()
    const made = make()
    this.#values.set(text, made)
    return made
  }
}
