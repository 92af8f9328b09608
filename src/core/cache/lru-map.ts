/** A map that forgets what was used longest ago. */
export class LruMap<Key, Value> {
  readonly #most: number
  readonly #entries = new Map<Key, Value>()

  constructor(most: number) {
    this.#most = most
  }

  /** All of it. */
  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]()
  }

  /** Makes the value of a key from the one before, and counts it as the last one used. */
  update(key: Key, make: (before: Value | undefined) => Value): Value {
    const value = make(this.#entries.get(key))
    // While there is room for as many again nothing is forgotten soon, and the order need not be kept.
    if (this.#entries.size * 2 > this.#most) this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#most) this.#entries.delete(this.#entries.keys().next().value as Key)
    return value
  }
}
