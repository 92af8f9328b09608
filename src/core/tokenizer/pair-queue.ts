/**
 * A priority queue of pairs: the lowest id first, and the leftmost of those with the same id.
 *
 * Most pairs of an id come from left to right. As long as they do they are a run, which is a linked list, and only the
 * first pair of each run is in a heap. So a step takes constant time where runs are long, as in a text that repeats a
 * character, and log n at worst.
 */
import { MinHeap } from './min-heap.ts'

const MAX_IDS = 2 ** 18
/** A key of the heap is id * MAX_PLACES + place. */
const MAX_PLACES = 2 ** 32
const NO_LINK = 0

export class PairQueue {
  /** The pair that was taken out last. */
  id = 0
  place = 0
  readonly #runs: MinHeap
  /** All pairs since the queue was empty, and for each the next one of its run. */
  readonly #places: Int32Array
  readonly #links: Int32Array
  #count = 0
  /** The last pair of the newest run of each id, until it is taken out. */
  readonly #tails = new Int32Array(MAX_IDS)

  /** @param capacity how many pairs it can take before it is empty again. */
  constructor(capacity: number) {
    this.#runs = new MinHeap(capacity)
    this.#places = new Int32Array(capacity + 1)
    this.#links = new Int32Array(capacity + 1)
  }

  push(id: number, place: number): void {
    const pair = ++this.#count
    this.#places[pair] = place
    this.#links[pair] = NO_LINK
    const tail = this.#tails[id]!
    if (tail !== NO_LINK && this.#places[tail]! < place) this.#links[tail] = pair
    else this.#runs.push(id * MAX_PLACES + place, pair)
    this.#tails[id] = pair
  }

  /** Takes out the first pair; false if there is none. */
  take(): boolean {
    const runs = this.#runs
    if (runs.size === 0) {
      this.#count = 0
      return false
    }
    const pair = runs.topValue
    this.id = (runs.topKey / MAX_PLACES) | 0
    this.place = this.#places[pair]!
    const next = this.#links[pair]!
    if (next !== NO_LINK) runs.replaceTop(this.id * MAX_PLACES + this.#places[next]!, next)
    else {
      runs.pop()
      if (this.#tails[this.id] === pair) this.#tails[this.id] = NO_LINK
    }
    return true
  }
}
