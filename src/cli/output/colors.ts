/** Colours, where somebody sees them: on a terminal, unless NO_COLOR is set (no-color.org). */
import { styleText } from 'node:util'

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export function createColors(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv = process.env): Paint {
  const isColoured = stream.isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'
  return isColoured ? (style, text) => styleText(style, text) : (_, text) => text
}
