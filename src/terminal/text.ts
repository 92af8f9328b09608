/** Small pieces of output that several commands share. */
import { escapeControls } from '../core/lib/text/escape-controls.ts'
import type { Paint } from './colors.ts'

/** A line of a JSON log. */
export const jsonLine = (value: object): string => escapeControls(JSON.stringify(value))

/** In single quotes a POSIX shell leaves everything alone except the quote itself. */
export const quoted = (text: string): string =>
  CONTROL.test(text) ? `$'${text.replace(SPECIAL, escapeSign)}'` : `'${text.replaceAll("'", "'\\''")}'`

const CONTROL = /\p{Cc}/u
const SPECIAL = /[\p{Cc}\\']/gu

/** As bash, zsh and ksh read it in `$'...'`, so that a command with several lines stays one line. */
function escapeSign(sign: string): string {
  if (sign === '\n') return '\\n'
  return /\p{Cc}/u.test(sign) ? `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}` : `\\${sign}`
}

/** A file name as a shell takes it. */
export const shellWord = (file: string): string => (/^[\w./-]+$/.test(file) ? file : quoted(file))

/** Aligned lines of a name and a value. */
export const table = (rows: readonly (readonly [name: string, value: string])[], paint: Paint): string =>
  rows.map(([name, value]) => `${paint('dim', name.padEnd(9))} ${value}`).join('\n')
