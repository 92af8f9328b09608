/** What a call has and what a condition needs, in words: for near misses and for the messages of matchers. */
import { maskKey } from '../../text/mask-keys.ts'
import type { Facts } from '../compile/when.ts'

/** One condition that does not hold. */
export interface Difference {
  /** The condition: `user`. */
  readonly field: string
  /** What the call has, as messages show it: `'Hello'`. */
  readonly found: string
  /** What the condition needs: `/weather/`. */
  readonly needed: string
}

/** `user is 'Hello', and needed is /weather/; model is ...` */
export const differencesText = (differences: readonly Difference[]): string =>
  differences.map(({ field, found, needed }) => `${field} is ${found}, and needed is ${needed}`).join('; ')

/** What the facts of a call have for a condition. */
export function foundIn(facts: Facts, field: string): string {
  if (field === 'tool') return facts.tools.length === 0 ? 'not there' : listed(facts.tools.map(quoted))
  if (field === 'request') return 'another'
  if (field === 'key') return facts.key === '' ? 'not there' : quoted(maskKey(facts.key))
  const value = (facts as unknown as Readonly<Record<string, unknown>>)[field]
  return value === undefined ? 'not there' : shown(value)
}

/** What a condition needs: a pattern, a text, a number, or one of several. */
export function neededBy(field: string, wanted: unknown): string {
  if (field === 'request') return 'the recorded one'
  const all = [wanted].flat()
  if (field === 'key')
    return listed(all.map((one) => quoted(String(one).includes('*') ? String(one) : maskKey(String(one)))))
  return listed(all.map(shown))
}

const shown = (value: unknown): string =>
  typeof value === 'string' && !isPattern(value) ? quoted(value) : short(String(value))

const isPattern = (text: string): boolean => /^\/.+\/[a-z]*$/s.test(text)

const LONGEST = 60

/** A text in quotes, on one line and not long. */
export const quoted = (text: string): string => `'${short(text)}'`

function short(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ')
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line
}

const listed = (items: readonly string[]): string =>
  items.length < 3 ? items.join(' or ') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`
