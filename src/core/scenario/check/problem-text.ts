/** Problems and warnings as text, without the schema: showing a line must not load zod. */
import { maskPassword } from '../../lib/text/mask-keys.ts'
import { quoted } from './describe.ts'
import type { Problem } from './problem.ts'

/** A problem or warning on one line: `file.yaml:3:5  replies[0].say: expected ...`. */
export function lineOf({ path, message, line, column }: Problem, fileName?: string): string {
  const position = line === undefined ? '' : `${fileName}:${line}:${column}  `
  return path.length === 0 ? position + message : `${position}${pathText(path)}: ${message}`
}

/** `replies[0].when`, `keys["sk-ci-*"].limits` */
export function pathText(path: Problem['path']): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    if (!/^[\w$]{1,60}$/.test(step)) return `${text}[${shown(step)}]`
    return text === '' ? step : `${text}.${step}`
  }, '')
}

/** A value in the message of a problem; lists and maps only by their type. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(maskPassword(value))
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof RegExp) return `the pattern ${value}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}
