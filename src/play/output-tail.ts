/**
 * The last lines of what an app prints. However much it prints, little is kept. `errorLine` finds the one that says best what
 * went wrong: of `Starting`, `Error: 2 tables are booked` and `    at book (agent.js:12:3)`, the second.
 */
import { createHash } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { escapeControls, truncate } from '../core/lib/text/wording.ts'

const MAX_LINES = 20
const MAX_EXCERPT_LINES = 15
const MAX_BYTES = 16_384
/** Most characters of a line. */
const MAX_LINE = 300
/** A line in which a program or a test runner names an error. */
const ERROR_LINE = /Error(?: \[\w+\])?:|\bFAIL|^\s*not ok\b|^Traceback\b/
/** A line with the message of an error: `AssertionError: expected 1, got 2`. */
const MESSAGE_LINE = /\b\w*(?:Error|Exception)(?: \[\w+\])?: /
/** Durations and times of day, which change from run to run. */
const TIMES = /\d+(?:\.\d+)? ?(?:[mnµ]?s|min)\b|\b\d+:\d\d(?::\d\d)?\b/g

export class OutputTail {
  #kept: Buffer = Buffer.alloc(0)
  readonly #hashWithoutTimes = createHash('sha256')
  readonly #hashWithoutNumbers = createHash('sha256')

  add(chunk: Buffer): void {
    this.note(chunk)
    const all = chunk.length >= MAX_BYTES ? chunk : Buffer.concat([this.#kept, chunk])
    // Copied: a part of a large buffer would keep all of it.
    this.#kept = all.length > 2 * MAX_BYTES ? Buffer.from(all.subarray(-MAX_BYTES)) : all
  }

  /** Counts a text for the digests, and keeps it in no line. */
  note(text: string | Buffer): void {
    const withoutTimes = String(text).replace(TIMES, '')
    this.#hashWithoutTimes.update(withoutTimes)
    this.#hashWithoutNumbers.update(withoutTimes.replace(/\d+/g, ''))
  }

  /** Digests of all that was added, to compare runs: without times, and without all numbers. */
  get shown(): readonly string[] {
    return [this.#hashWithoutTimes, this.#hashWithoutNumbers].map(
      (hash, index) => `${index} ${hash.copy().digest('base64')}`,
    )
  }

  /** The last lines, without colours and other control characters. */
  get lines(): string[] {
    return this.#keptLines().slice(-MAX_LINES)
  }

  /** The last lines, or if an error comes before them, the lines from the first error on. */
  get excerpt(): string[] {
    const lines = this.#keptLines()
    const last = Math.max(0, lines.length - MAX_EXCERPT_LINES)
    const error = lines.findIndex((line) => ERROR_LINE.test(line))
    const first = error === -1 ? last : Math.min(error, last)
    return lines.slice(first, first + MAX_EXCERPT_LINES)
  }

  /** All that is kept, without colours. */
  get text(): string {
    return stripVTControlCharacters(this.#kept.subarray(-MAX_BYTES).toString('utf8'))
  }

  #keptLines(): string[] {
    const lines = this.text.split(/\r?\n/).map((line) => truncate(escapeControls(line.trimEnd()), MAX_LINE))
    while (lines.at(-1) === '') lines.pop()
    return lines
  }
}

/** The line that says best what went wrong, for reports: of an error, or the last one. No line if nothing was printed. */
export function errorLine(lines: readonly string[]): string[] {
  const line =
    lines.find((one) => MESSAGE_LINE.test(one)) ??
    lines.find((one) => ERROR_LINE.test(one)) ??
    lines.findLast((one) => one !== '')
  return line === undefined ? [] : [line]
}
