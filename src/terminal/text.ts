/** Small pieces of output that several commands share: printed lines, words quoted for a shell, aligned columns, colours. */
import type { styleText } from 'node:util'
import { escapeControls } from '../core/lib/text/wording.ts'

/** Prints a line to standard output. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints a line to standard error, when standard output belongs to a result or to another command. */
export const printError = (line: string): void => void process.stderr.write(`${line}\n`)

/** A line of a JSON log. */
export const jsonLine = (value: object): string => escapeControls(JSON.stringify(value))

/**
 * A text in quotes. In single quotes a POSIX shell leaves everything alone except the quote itself. A text with control
 * characters is written as bash, zsh and ksh read it in `$'...'`, so that a command with several lines stays one line.
 */
export function quoted(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", "'\\''")}'`
  const escaped = text.replace(/[\p{Cc}\\']/gu, (sign) => {
    if (sign === '\n') return '\\n'
    return /\p{Cc}/u.test(sign) ? `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}` : `\\${sign}`
  })
  return `$'${escaped}'`
}

/** A file name as a shell takes it. */
export const shellWord = (file: string): string => (/^[\w./-]+$/.test(file) ? file : quoted(file))

/** Lines of a name, such as `Base URL`, and its value. All values begin in the same column. */
export const table = (rows: readonly (readonly [name: string, value: string])[], paint: Paint): string =>
  rows.map(([name, value]) => `${paint('dim', name.padEnd(9))} ${value}`).join('\n')

/** Rows of cells as lines with aligned columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
}

/** Writes a text in a style: `paint('red', 'failed')`. */
export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

/** The styles of a stream: none if it is no terminal, or the user wants no colours. */
export function createColors(stream: NodeJS.WriteStream): Paint {
  const { NO_COLOR, TERM } = process.env
  const isColoured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb'
  // An import of node:util loads all that it exports lazily, which takes milliseconds of each start.
  return isColoured ? process.getBuiltinModule('node:util').styleText : (_, text) => text
}
