/** The progress of a hunt on stderr: one line that is rewritten on a terminal, and a line every few seconds elsewhere. */
import { stripVTControlCharacters } from 'node:util'

/** Interval of the lines where there is no terminal. */
const LINE_EVERY_MS = 10_000

export class ProgressLine {
  #shownAt = performance.now()
  /** True while a line is on the terminal. */
  #isShown = false

  show(text: string): void {
    const { stderr } = process
    if (stderr.isTTY) {
      const line = stripVTControlCharacters(text).slice(0, (stderr.columns || 80) - 1)
      stderr.write(`\r${line}\u001b[K`)
      this.#isShown = true
    } else if (performance.now() - this.#shownAt >= LINE_EVERY_MS) {
      this.#shownAt = performance.now()
      stderr.write(`${text}\n`)
    }
  }

  /** Removes the line from the terminal. */
  clear(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K')
    this.#isShown = false
  }
}
