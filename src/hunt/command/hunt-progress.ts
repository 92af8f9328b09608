/** The progress of a hunt on stderr: one line that is rewritten on a terminal, and a line every few seconds elsewhere. */
import { stripVTControlCharacters } from 'node:util'

const LINE_EVERY_MS = 5000

export class HuntProgress {
  readonly #stream: NodeJS.WriteStream
  #lastAt = performance.now()
  #isShown = false

  constructor(stream: NodeJS.WriteStream = process.stderr) {
    this.#stream = stream
  }

  show(text: string): void {
    if (this.#stream.isTTY) {
      const line = stripVTControlCharacters(text).slice(0, (this.#stream.columns || 80) - 1)
      this.#stream.write(`\r${line}\u001b[K`)
      this.#isShown = true
    } else if (performance.now() - this.#lastAt >= LINE_EVERY_MS) {
      this.#lastAt = performance.now()
      this.#stream.write(`${text}\n`)
    }
  }

  /** Removes the line from the terminal. */
  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[K')
    this.#isShown = false
  }
}
