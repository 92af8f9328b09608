/** Bounded maps: one that drops the oldest entries, and a memo cache for functions of a text. */

/**
 * A bounded map that drops the least recently updated entry: with room for two entries,
 * updates of a, b and c leave b and c.
 *
 * Updates do not change the order while the map is at most half full, because nothing is dropped soon.
 */
export class LruMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number
  /** An iterator that stands behind the last dropped key: a new one would first pass over the places of all dropped entries. */
  readonly #oldest = this.keys()

  constructor(maxSize: number) {
    super()
    this.#maxSize = maxSize
  }

  /** Replaces the value of a key, and makes the key the newest one. */
  override set(key: Key, value: Value): this {
    // Moving a key to the end costs most of an update, so it waits until the map is more than half full.
    if (this.size * 2 > this.#maxSize) this.delete(key)
    super.set(key, value)
    if (this.size > this.#maxSize) this.delete(this.#oldest.next().value as Key)
    return this
  }

  /** Removes the entries whose keys are chosen. */
  drop(isChosen: (key: Key) => boolean): void {
    for (const key of this.keys()) if (isChosen(key)) this.delete(key)
  }
}

/**
 * A bounded memo cache keyed by text, for pure functions of that text: `counts.of(text, () => countTokens(text))`.
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
