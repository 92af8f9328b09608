/** The last lines of what an app prints. However much it prints, little is kept. */
import { stripVTControlCharacters } from 'node:util'
import { escapeControls } from '../core/text/escape-controls.ts'
import { truncate } from '../core/text/truncate.ts'

const MAX_LINES = 20
const MAX_BYTES = 8192
const MAX_LINE = 300

export class OutputTail {
  #kept: Buffer = Buffer.alloc(0)

  add(chunk: Buffer): void {
    const all = chunk.length >= MAX_BYTES ? chunk : Buffer.concat([this.#kept, chunk])
    // Copied: a part of a large buffer would keep all of it.
    this.#kept = all.length > 2 * MAX_BYTES ? Buffer.from(all.subarray(-MAX_BYTES)) : all
  }

  /** Without colours and other control characters. */
  get lines(): string[] {
    const text = stripVTControlCharacters(this.#kept.subarray(-MAX_BYTES).toString('utf8'))
    const lines = text.split(/\r?\n/).map((line) => truncate(escapeControls(line.trimEnd()), MAX_LINE))
    while (lines.at(-1) === '') lines.pop()
    return lines.slice(-MAX_LINES)
  }
}
