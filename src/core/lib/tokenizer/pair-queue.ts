/**
 * A priority queue of pairs: the lowest rank first, and the leftmost of those with the same rank.
 *
 * Most pairs of a rank are added from left to right. As long as they are, they form a run, which is a linked list, and
 * only the first pair of each run is in a heap. So a step takes constant time where runs are long, as in a text that
 * repeats a character, and log n at worst.
 */
import { MinHeap } from './min-heap.ts'
import { MAX_RANKS } from './token-table.ts'

/** A key of the heap is rank * MAX_PLACES + place. */
const MAX_PLACES = 2 ** 32
/** The number of no pair: new arrays hold zeros, and pairs are numbered from 1. */
const NO_PAIR = 0

/** For each rank, the last pair of its newest run; `NO_PAIR` when all its pairs were taken. Empty queues share it. */
const lastOfRun = new Int32Array(MAX_RANKS)

export class PairQueue {
  /** The rank of the pair that was taken last. */
  rank = 0
  /** The place of the pair that was taken last. */
  place = 0
  /** The first pair of each run. */
  readonly #runs: MinHeap
  /** The place of each pair, by its number. */
  readonly #places: Int32Array
  /** The next pair of its run for each pair, by its number. */
  readonly #nextInRun: Int32Array
  #count = 0

  /** @param capacity how many pairs can be added in all. All of them must be taken before another queue is used. */
  constructor(capacity: number) {
    this.#runs = new MinHeap(capacity)
    this.#places = new Int32Array(capacity + 1)
    this.#nextInRun = new Int32Array(capacity + 1)
  }

  add(rank: number, place: number): void {
    const pair = ++this.#count
    this.#places[pair] = place
    const last = lastOfRun[rank]!
    if (last !== NO_PAIR && this.#places[last]! < place) this.#nextInRun[last] = pair
    else this.#runs.push(rank * MAX_PLACES + place, pair)
    lastOfRun[rank] = pair
  }

  /** Takes the first pair into `rank` and `place`; false if the queue is empty. */
  take(): boolean {
    const runs = this.#runs
    if (runs.size === 0) return false
    const pair = runs.topValue
    this.rank = (runs.topKey / MAX_PLACES) | 0
    this.place = this.#places[pair]!
    const next = this.#nextInRun[pair]!
    if (next !== NO_PAIR) runs.replaceTop(this.rank * MAX_PLACES + this.#places[next]!, next)
    else {
      runs.pop()
      if (lastOfRun[this.rank] === pair) lastOfRun[this.rank] = NO_PAIR
    }
    return true
  }
}
