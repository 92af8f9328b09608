/**
 * The events of a stream by number. The text of an event is built when it is read, so a long stream that is being sent takes
 * the memory of its tokens, not of all its events.
 *
 *     EventList     0: data: {..."content":"Hel"...}   1: data: {..."content":"lo"...}   2: data: [DONE]
 *     its plan      head, send 0, send 1, send 2, end     (waits between them, at a pace)
 */

import { countUtf8 } from '../../lib/text/bytes.ts'
import type { Head, PlanEvent, PlanEvents, Send } from './plan.ts'
import { MAX_SHORT_BYTES } from './text-parts.ts'

/** Computes the sizes of a stream, or returns those that were computed for the same request. */
type MeasureMemo = (measure: () => Uint32Array) => Uint32Array

export abstract class EventList {
  /** The number of events. */
  abstract readonly length: number
  /** A lower bound on the size in bytes, found without building an event. */
  abstract readonly minBytes: number
  /** An upper bound on the size in bytes, found without building an event. */
  abstract readonly maxBytes: number
  /** The tokens in all events. */
  abstract readonly tokens: number
  /** Dropped once the stream is measured: it holds the request, and a stream may be open for hours. */
  #memo: MeasureMemo | undefined
  /** The size of the stream up to the end of each event; undefined until it is measured. */
  #ends: Uint32Array | undefined

  /** @param memo computes the ends of the events of a long stream, or has them already. */
  constructor(memo: MeasureMemo) {
    this.#memo = memo
  }

  /** The text of an event. */
  abstract textOf(number: number): string
  /** The tokens in an event. */
  abstract tokensOf(number: number): number
  /** True if another choice sends it at the same time as the one before, so that the pace does not wait for it. */
  abstract isBeside(number: number): boolean

  /** The size of an event in bytes. A stream that knows it without building the text overrides this. */
  protected bytesOf(number: number): number {
    return countUtf8(this.textOf(number))
  }

  /** The size in bytes. */
  get byteLength(): number {
    return this.endOf(this.length - 1)
  }

  /** The size up to the end of an event, in bytes. */
  endOf(number: number): number {
    this.#ends ??= this.#measure()
    return number < 0 ? 0 : this.#ends[number]!
  }

  #measure(): Uint32Array {
    const measure = (): Uint32Array => {
      const ends = new Uint32Array(this.length)
      let end = 0
      for (let number = 0; number < this.length; number++) {
        end += this.bytesOf(number)
        ends[number] = end
      }
      return ends
    }
    const ends = this.#memo!(measure)
    this.#memo = undefined
    return ends
  }

  /** The events of a plan that sends the stream after this head. */
  eventsAfter(head: Head): PlanEvents {
    if (this.maxBytes > MAX_SHORT_BYTES) return new LongStream(head, this)
    const sends = Array.from({ length: this.length }, (_, number): Send => {
      const data = this.textOf(number)
      const tokens = this.tokensOf(number)
      if (tokens === 0) return { type: 'send', data }
      return this.isBeside(number) ? { type: 'send', data, tokens, isBeside: true } : { type: 'send', data, tokens }
    })
    return [head, ...sends, END]
  }
}

const END: PlanEvent = { type: 'end' }

/** The events of a plan with a long stream: its head, its waits and sends, and the end. */
export class LongStream implements PlanEvents {
  readonly #head: Head
  readonly #stream: EventList
  /** The waits in ms, before the head and before each event of the stream; empty without any. */
  readonly #waits: readonly number[]
  readonly length: number

  constructor(head: Head, stream: EventList, waits: readonly number[] = []) {
    this.#head = head
    this.#stream = stream
    this.#waits = waits
    this.length = stream.length + 2 + waits.filter((ms) => ms > 0).length
  }

  /** The same stream with another head, and at another pace. */
  with(head: Head, waits = this.#waits): LongStream {
    return new LongStream(head, this.#stream, waits)
  }

  *[Symbol.iterator](): Generator<PlanEvent> {
    for (let number = -1; number < this.#stream.length; number++) {
      const ms = this.#waits[number + 1] ?? 0
      if (ms > 0) yield { type: 'wait', ms }
      yield number < 0 ? this.#head : new StreamEvent(this.#stream, number)
    }
    yield END
  }

  /** The event at an index. The last one, which is asked for most, is found without going through the others. */
  at(index: number): PlanEvent | undefined {
    return index === -1 ? END : [...this].at(index)
  }
}

/** An event of a long stream. Its text and its tokens are looked up when they are read. */
class StreamEvent implements Send {
  readonly type = 'send'
  readonly #stream: EventList
  readonly #number: number

  constructor(stream: EventList, number: number) {
    this.#stream = stream
    this.#number = number
  }

  get data(): string {
    return this.#stream.textOf(this.#number)
  }

  get byteLength(): number {
    return this.#stream.endOf(this.#number) - this.#stream.endOf(this.#number - 1)
  }

  get tokens(): number {
    return this.#stream.tokensOf(this.#number)
  }

  get isBeside(): boolean {
    return this.#stream.isBeside(this.#number)
  }
}
