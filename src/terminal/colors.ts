/** Colours, on a terminal only, and not when NO_COLOR is set (no-color.org). */
import { styleText } from 'node:util'

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string

export function createColors(stream: NodeJS.WriteStream): Paint {
  const { NO_COLOR, TERM } = process.env
  const isColoured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb'
  return isColoured ? (style, text) => styleText(style, text) : (_, text) => text
}
