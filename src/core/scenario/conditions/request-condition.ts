/**
 * The condition `when: { request: { ... } }`: the whole body of a request, as a recording has it.
 *
 *   when: { request: { model: 'gpt-4o', messages: [{ role: 'user', content: '[redacted]' }] } }
 *
 * A body with its keys in another order is the same body, and `[redacted]` matches any text.
 */
import { isObject, type JsonObject, parseJson } from '../../lib/text/json.ts'
import { describeValue, quoted } from '../check/describe-values.ts'
import { pathText } from '../check/problem.ts'
import { matchesGlob } from '../compile/glob.ts'
import { type Condition, conditionOf, NO_GROUPS, type PartDifference } from './condition.ts'

/** Replaces a secret in a recording; it matches any text. */
export const REDACTED = '[redacted]'

const ABOUT = `the whole request body, with keys in any order; ${REDACTED} matches any text`

export const requestCondition: Condition = {
  ...conditionOf('request', ABOUT, (facts) => facts.comparedBody),
  compile: (wanted) => {
    const recorded = asObject(wanted)
    return ({ comparedBody, bodyText }) => {
      const matches = recorded === undefined ? isSame(wanted, bodyText) : isSame(recorded, comparedBody)
      return matches ? NO_GROUPS : undefined
    }
  },
  describeFound: () => 'another request',
  describeWanted: () => 'as recorded',
  findDifferences: (wanted, { comparedBody }) => {
    const recorded = asObject(wanted)
    return recorded === undefined ? [] : findBodyDifferences(recorded, comparedBody, isSame)
  },
}

/** The wanted body as an object; undefined for a text that is not a JSON object, which is compared as text. */
function asObject(wanted: unknown): JsonObject | undefined {
  const value = typeof wanted === 'string' ? parseJson(wanted) : wanted
  return isObject(value) ? value : undefined
}

/** True for a part of a request that counts as the recorded one. */
export function isSame(recorded: unknown, sent: unknown): boolean {
  if (typeof recorded === 'string' && typeof sent === 'string') return matchesGlob(recorded, sent, REDACTED)
  if (Array.isArray(recorded)) {
    if (!Array.isArray(sent) || recorded.length !== sent.length) return false
    return recorded.every((item, index) => isSame(item, sent[index]))
  }
  if (!isObject(recorded) || !isObject(sent)) return recorded === sent
  const names = Object.keys(recorded)
  if (names.length !== Object.keys(sent).length) return false
  return names.every((name) => Object.hasOwn(sent, name) && isSame(recorded[name], sent[name]))
}

/** The near miss is the rule with the fewest differences, so there is no need to count them all. */
const MAX_DIFFERENCES = 20

/**
 * Finds the first differences of a request from a recorded one, in the order of the recorded body.
 * @param isEqual true for two values that count as equal.
 */
export function findBodyDifferences(
  recorded: unknown,
  sent: unknown,
  isEqual: (recorded: unknown, sent: unknown) => boolean,
): readonly PartDifference[] {
  const differences: PartDifference[] = []
  const compareParts = (wanted: unknown, got: unknown, path: readonly (string | number)[]): void => {
    if (isEqual(wanted, got)) return
    let names: Iterable<string | number>
    if (isObject(wanted) && isObject(got)) names = new Set([...Object.keys(wanted), ...Object.keys(got)])
    else if (Array.isArray(wanted) && Array.isArray(got)) names = (wanted.length > got.length ? wanted : got).keys()
    else {
      // Two values without parts, or of different types.
      differences.push({ field: pathText(path), wanted, sent: got, describe: () => describeBoth(wanted, got) })
      return
    }
    for (const name of names) {
      // A list of embeddings input may have 200,000 more items.
      if (differences.length >= MAX_DIFFERENCES) return
      compareParts(valueAt(wanted, name), valueAt(got, name), [...path, name])
    }
  }
  compareParts(recorded, sent, ['request'])
  return differences
}

const valueAt = (value: unknown, name: string | number): unknown =>
  Object.hasOwn(value as object, name) ? (value as Record<string | number, unknown>)[name] : undefined

/** Two texts with a long common beginning are shown from shortly before their first difference. */
const MAX_COMMON_LENGTH = 30
const SHOWN_BEFORE = 12

/** `'Oslo'` and `'Rome'`; for texts that differ only after 30 characters or more, `'…weather in Oslo'`. */
function describeBoth(wanted: unknown, sent: unknown): { needed: string; found: string } {
  let common = 0
  if (typeof wanted === 'string' && typeof sent === 'string')
    while (common < wanted.length && wanted[common] === sent[common]) common++
  const start = common > MAX_COMMON_LENGTH ? common - SHOWN_BEFORE : 0
  const describe = (value: unknown): string => {
    if (value === null) return 'null'
    if (typeof value !== 'string') return describeValue(value)
    return quoted(start === 0 ? value : `…${value.slice(start)}`)
  }
  return { needed: describe(wanted), found: describe(sent) }
}
