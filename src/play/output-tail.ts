/** The last lines of what an app prints. However much it prints, little is kept. */
import { createHash } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { escapeControls, truncate } from '../core/lib/text/wording.ts'

const MAX_LINES = 20
const MAX_EXCERPT_LINES = 15
const MAX_BYTES = 16_384
const MAX_LINE = 300
/** A line in which a program or a test runner names an error. */
const ERROR_LINE = /Error(?: \[\w+\])?:|\bFAIL|^\s*not ok\b|^Traceback\b/

/** A line with the message of an error: `AssertionError: expected 1, got 2`. */
const MESSAGE_LINE = /\b\w*(?:Error|Exception)(?: \[\w+\])?: /

/** The line that says best what went wrong, for reports: of an error, or the last one. No line if nothing was printed. */
export function errorLine(lines: readonly string[]): string[] {
  const found = lines.find((line) => MESSAGE_LINE.test(line)) ?? lines.find((line) => ERROR_LINE.test(line))
  return [found ?? lines.findLast((line) => line !== '') ?? []].flat()
}

/** Durations and times of day, which change from run to run. */
const TIMES = /\d+(?:\.\d+)? ?(?:[mnµ]?s|min)\b|\b\d+:\d\d(?::\d\d)?\b/g

export class OutputTail {
  #kept: Buffer = Buffer.alloc(0)
  readonly #strict = createHash('sha256')
  readonly #loose = createHash('sha256')

  /** Digests of all that was added: without times, and without numbers. */
  get shown(): readonly string[] {
    return [this.#strict, this.#loose].map((hash, index) => `${index} ${hash.copy().digest('base64')}`)
  }

  /** Counts a text for the digests, and keeps it in no line. */
  note(text: string | Buffer): void {
    const timeless = String(text).replace(TIMES, '')
    this.#strict.update(timeless)
    this.#loose.update(timeless.replace(/\d+/g, ''))
  }

  add(chunk: Buffer): void {
    this.note(chunk)
    const all = chunk.length >= MAX_BYTES ? chunk : Buffer.concat([this.#kept, chunk])
    // Copied: a part of a large buffer would keep all of it.
    this.#kept = all.length > 2 * MAX_BYTES ? Buffer.from(all.subarray(-MAX_BYTES)) : all
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
