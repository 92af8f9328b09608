/** Where a request differs from a recorded one: path by path, for near misses. */
import { isObject } from '../../lib/text/json.ts'
import { describeValue, quoted } from '../check/describe.ts'
import { pathText } from '../check/problem-text.ts'
import type { PartDifference } from './condition.ts'

/** The near miss is the rule with the fewest differences, so there is no need to count them all. */
const MAX_DIFFERENCES = 20
/** How much of what two long texts have in common is shown before their difference. */
const SHOWN_BEFORE = 12
const MAX_COMMON = 30

type Path = readonly (string | number)[]

/** The first differences, in the order of the recorded body. @param isSame whether two values count as equal. */
export function findBodyDifferences(
  recorded: unknown,
  sent: unknown,
  isSame: (recorded: unknown, sent: unknown) => boolean,
): readonly PartDifference[] {
  const found: PartDifference[] = []
  const compare = (wanted: unknown, got: unknown, path: Path): void => {
    if (found.length >= MAX_DIFFERENCES || isSame(wanted, got)) return
    const names = namesIn(wanted, got)
    if (names === undefined) found.push(describeDifference(wanted, got, path))
    else for (const name of names) compare(valueAt(wanted, name), valueAt(got, name), [...path, name])
  }
  compare(recorded, sent, ['request'])
  return found
}

/** The names or indexes in either of two maps or lists; undefined for other values. */
function namesIn(one: unknown, other: unknown): readonly (string | number)[] | undefined {
  if (Array.isArray(one) && Array.isArray(other)) {
    const length = Math.min(Math.max(one.length, other.length), Math.min(one.length, other.length) + MAX_DIFFERENCES)
    return Array.from({ length }, (_, index) => index)
  }
  if (isObject(one) && isObject(other)) return [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return undefined
}

const valueAt = (value: unknown, name: string | number): unknown =>
  Object.hasOwn(value as object, name) ? (value as Record<string | number, unknown>)[name] : undefined

function describeDifference(wanted: unknown, sent: unknown, path: Path): PartDifference {
  const start = typeof wanted === 'string' && typeof sent === 'string' ? firstShown(wanted, sent) : 0
  return { field: pathText(path), needed: describe(wanted, start), found: describe(sent, start), wanted, sent }
}

/** Where to begin to show two texts, so that their first difference is seen. */
function firstShown(one: string, other: string): number {
  let common = 0
  while (common < one.length && one[common] === other[common]) common++
  return common > MAX_COMMON ? common - SHOWN_BEFORE : 0
}

function describe(value: unknown, start: number): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? quoted(start === 0 ? value : `…${value.slice(start)}`) : describeValue(value)
}
