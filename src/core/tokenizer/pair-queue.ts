/**
 * A priority queue of pairs: the lowest rank first, and the leftmost of those with the same rank.
 *
 * Most pairs of a rank come from left to right. As long as they do they are a run, which is a linked list, and only the
 * first pair of each run is in a heap. So a step takes constant time where runs are long, as in a text that repeats a
 * character, and log n at worst.
 */
import { MinHeap } from './min-heap.ts'
import { MAX_RANKS } from './token-table.ts'

/** A key of the heap is rank * MAX_PLACES + place. */
const MAX_PLACES = 2 ** 32
const NO_LINK = 0

/** The last pair of the newest run of each rank, until it is taken out. An empty queue leaves nothing here. */
const tails = new Int32Array(MAX_RANKS)

export class PairQueue {
  /** The pair that was taken out last. */
  rank = 0
  place = 0
  readonly #runs: MinHeap
  /** All pairs that were added, from 1 on, and for each the next one of its run. */
  readonly #places: Int32Array
  readonly #links: Int32Array
  #count = 0

  /** @param capacity how many pairs can be added. All of them must be taken out before another queue is used. */
  constructor(capacity: number) {
    this.#runs = new MinHeap(capacity)
    this.#places = new Int32Array(capacity + 1)
    this.#links = new Int32Array(capacity + 1)
  }

  add(rank: number, place: number): void {
    const pair = ++this.#count
    this.#places[pair] = place
    const tail = tails[rank]!
    if (tail !== NO_LINK && this.#places[tail]! < place) this.#links[tail] = pair
    else this.#runs.push(rank * MAX_PLACES + place, pair)
    tails[rank] = pair
  }

  /** Takes out the first pair; false if there is none. */
  take(): boolean {
    const runs = this.#runs
    if (runs.size === 0) return false
    const pair = runs.topValue
    this.rank = (runs.topKey / MAX_PLACES) | 0
    this.place = this.#places[pair]!
    const next = this.#links[pair]!
    if (next !== NO_LINK) runs.replaceTop(this.rank * MAX_PLACES + this.#places[next]!, next)
    else {
      runs.pop()
      if (tails[this.rank] === pair) tails[this.rank] = NO_LINK
    }
    return true
  }
}
