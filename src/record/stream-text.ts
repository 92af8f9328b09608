/** Server-sent events as they were received: a stream cut into its events, each with its time. */

/** One event, with the blank line that ends it. */
export interface TimedText {
  readonly atMs: number
  text: string
}

/** Takes chunks as they come, which end anywhere, and gives whole events. */
export class EventCutter {
  readonly events: TimedText[] = []
  #rest = ''

  add(text: string, atMs: number): void {
    this.#rest += text
    let from = 0
    // A lone \r that a chunk ends with may be half of a line end: it waits for the next one.
    for (const { index, 0: end } of this.#rest.matchAll(/\r\n\r\n|\n\n|\r\r(?=[^\n])/g)) {
      this.events.push({ atMs, text: this.#rest.slice(from, index + end.length) })
      from = index + end.length
    }
    this.#rest = this.#rest.slice(from)
  }

  /** What came after the last whole event stays an event of its own. */
  end(atMs: number): readonly TimedText[] {
    if (this.#rest !== '') this.events.push({ atMs, text: this.#rest })
    this.#rest = ''
    return this.events
  }
}

const DATA_LINE = /^data: ([^\r\n]*)\n\n$/

/** What follows `data: `, where the event is that line and nothing else. */
export const dataOf = (text: string): string | undefined => DATA_LINE.exec(text)?.[1]
