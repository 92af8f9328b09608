/** A binary heap of keys with a value each; the lowest key is on top. @see https://en.wikipedia.org/wiki/Binary_heap */
export class MinHeap {
  readonly #keys: Float64Array
  readonly #values: Int32Array
  #size = 0

  /** @param capacity how many keys it can hold at once. */
  constructor(capacity: number) {
    this.#keys = new Float64Array(capacity)
    this.#values = new Int32Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  /** The lowest key; of an empty heap nothing that means anything, and so for its value. */
  get topKey(): number {
    return this.#keys[0]!
  }

  get topValue(): number {
    return this.#values[0]!
  }

  push(key: number, value: number): void {
    const keys = this.#keys
    const values = this.#values
    let at = this.#size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (keys[parent]! <= key) break
      keys[at] = keys[parent]!
      values[at] = values[parent]!
      at = parent
    }
    keys[at] = key
    values[at] = value
  }

  /** Removes the lowest key. */
  pop(): void {
    const last = --this.#size
    this.replaceTop(this.#keys[last]!, this.#values[last]!)
  }

  /** Removes the lowest key and adds another one. */
  replaceTop(key: number, value: number): void {
    const keys = this.#keys
    const values = this.#values
    const size = this.#size
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++
      if (key <= keys[child]!) break
      keys[at] = keys[child]!
      values[at] = values[child]!
      at = child
    }
    keys[at] = key
    values[at] = value
  }
}
