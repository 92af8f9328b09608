/** A bounded map that drops the least recently used entry. A use that came before it was half full does not count. */
export class LruMap<Key, Value> {
  readonly #maxSize: number
  readonly #entries = new Map<Key, Value>()
  /** Kept from drop to drop: a new iterator would first pass over the places of all entries dropped before. */
  readonly #oldest = this.#entries.keys()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get size(): number {
    return this.#entries.size
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries[Symbol.iterator]()
  }

  /** The value of a key. Reading it does not count as use. */
  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  /** Removes the entries whose keys are chosen. */
  drop(isChosen: (key: Key) => boolean): void {
    for (const key of this.#entries.keys()) if (isChosen(key)) this.#entries.delete(key)
  }

  /** Replaces the value of a key, which is a use of it. */
  update(key: Key, make: (before: Value | undefined) => Value): Value {
    const value = make(this.#entries.get(key))
    // Before, no entry is dropped soon, and moving one to the end costs most of an update.
    if (this.#entries.size * 2 > this.#maxSize) this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > this.#maxSize) this.#entries.delete(this.#oldest.next().value as Key)
    return value
  }
}
