/** Splits the text of a stream into server-sent events, each with the time it was received. */

/** One event, with the blank line that ends it, or the unfinished rest of a stream. */
export interface TimedText {
  readonly atMs: number
  text: string
}

export class EventSplitter {
  readonly events: TimedText[] = []
  #rest = ''

  /** Chunks may end anywhere. */
  add(text: string, atMs: number): void {
    this.#rest += text
    let from = 0
    // A \r at the end of a chunk may be half of a line end, so it waits for the next chunk.
    for (const { index, 0: end } of this.#rest.matchAll(/\r\n\r\n|\n\n|\r\r(?=[^\n])/g)) {
      this.events.push({ atMs, text: this.#rest.slice(from, index + end.length) })
      from = index + end.length
    }
    this.#rest = this.#rest.slice(from)
  }

  /** The text after the last complete event becomes a separate event. */
  end(atMs: number): readonly TimedText[] {
    if (this.#rest !== '') this.events.push({ atMs, text: this.#rest })
    this.#rest = ''
    return this.events
  }
}

const DATA_LINE = /^data: ([^\r\n]*)\n\n$/

/** The text after `data: `; undefined if the event has anything else in it. */
export const dataOf = (text: string): string | undefined => DATA_LINE.exec(text)?.[1]
