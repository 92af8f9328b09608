/** Timings from the text of a file: JSON, JSON Lines or CSV, with a row or a span for each call. */
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { type CallTiming, EXPECTED_ROW, readRow } from './call-timing.ts'
import { findSpans, readSpan } from './spans.ts'

export interface Timings {
  readonly timings: readonly CallTiming[]
  /** How many rows or spans have no time to the first token. */
  readonly skipped: number
}

/** @throws Error when the text is neither JSON nor CSV; the message says what is expected. */
export function readTimings(text: string): Timings {
  const values = readValues(text)
  const spans = findSpans(values)
  const read =
    spans.length > 0 ? spans.map(readSpan) : values.map((value) => (isObject(value) ? readRow(value) : undefined))
  const timings = read.filter((timing) => timing !== undefined)
  return { timings, skipped: read.length - timings.length }
}

function readValues(text: string): unknown[] {
  const whole = parseJson(text)
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole]
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (/^\s*[[{]/.test(lines[0] ?? '')) return lines.map(readLine)
  return readCsv(lines)
}

function readLine(line: string, index: number): unknown {
  const value = parseJson(line)
  if (value === undefined) throw new Error(`line ${index + 1} is not JSON. Expected an object on each line.`)
  return value
}

/** The first line has the names. A cell in quotes is a text; a cell never contains a separator or a line break. */
function readCsv([head = '', ...lines]: readonly string[]): unknown[] {
  const separator = [',', ';', '\t'].find((sign) => head.includes(sign)) ?? ','
  const cellsOf = (line: string): string[] => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const names = cellsOf(head)
  if (readRow(Object.fromEntries(names.map((name) => [name, 1]))) === undefined) {
    throw new Error(`expected columns ${EXPECTED_ROW}, got ${names.slice(0, 8).join(', ') || 'nothing'}.`)
  }
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [names[index] ?? '', cell])))
}
