/**
 * The fields of a pace: how long answers take.
 *
 *   pace: { firstToken: { p50: 300ms, p99: 2s }, perToken: 20ms, load: 20% per call, queue: { concurrent: 4, waiting: 10 } }
 */
import * as z from 'zod'
import { DURATION_PATTERN, parseDuration } from '../../lib/text/duration.ts'
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { shown } from '../check/problem.ts'
import { suggestQuantity } from '../check/suggestions.ts'
import { PACE_PROFILE_NAMES, QUANTILE, readQuantiles } from '../compile/pace.ts'
import { type AddProblem, checkedBy, count, DURATION, duration, either, mapOf, oneOf, text } from './fields.ts'

const SPREAD = `${DURATION}, a range such as { min: 200ms, max: 600ms }, or quantiles such as { p10: 80ms, p50: 200ms, p99: 4s }`
const DURATION_TEXT = { type: 'string', pattern: DURATION_PATTERN.source, description: DURATION }
// Any value: checkSpread reads it, and says more of an unknown field than that it is no duration.
const durationToCheck = z.unknown().meta(DURATION_TEXT)
const bound = durationToCheck.optional()
const drawn = oneOf(['once']).optional().describe('once per call; without it, perToken is drawn for each token')
const quantiles = z
  .object({ min: bound, max: bound, median: bound, drawn }, { error: SPREAD })
  .catchall(durationToCheck)
  // Not for a text: its characters would be read as unknown fields.
  .superRefine(...checkedBy([checkSpread], ({ value }) => isObject(value)))
  // For editors; checkSpread says the same.
  .meta({ minProperties: 2, patternProperties: { [QUANTILE.source]: DURATION_TEXT }, additionalProperties: false })
const spread = either([duration, quantiles], SPREAD)

/** Checks that a range or its quantiles are complete, and that they go up from above 0. */
function checkSpread(spread: JsonObject, add: AddProblem): void {
  const { min, max, drawn: _, ...others } = spread
  const quantiles = readQuantiles(others)
  const names = quantiles.map(({ name }) => name)
  const unknown = Object.keys(others).filter((name) => !names.includes(name))
  for (const name of unknown) {
    const message = `unknown field ${shown(name)}. Expected min, max, median or quantiles from p0.001 to p99.999.`
    add([name], message, 'key')
  }
  if (unknown.length > 0) return

  if (names.length === 0 && min === undefined && max === undefined)
    return add([], 'expected at least two quantiles, such as { p50: 200ms, p99: 1s }, got none.')
  const missing = ['min', 'max'].find((name) => spread[name] === undefined)
  if (names.length === 0 && missing !== undefined) return add([missing], `expected ${DURATION}, got nothing.`)
  if (names.length === 1)
    return add(names, `expected at least two quantiles, such as p50 and p99, got only ${names[0]}.`)

  const points = [{ name: 'min', value: min, p: 0 }, ...quantiles, { name: 'max', value: max, p: 1 }]
  const given = points.filter(({ value }) => value !== undefined)
  for (const [index, { name, value, p }] of given.entries()) {
    const ms = duration.safeParse(value).success ? parseDuration(value)! : undefined
    const before = given[index - 1]
    if (ms === undefined) add([name], `expected ${DURATION}, got ${shown(value)}.${suggestQuantity(value, DURATION)}`)
    // A bound may be 0. A quantile may not: between two of them, the draws follow their ratio.
    else if (ms === 0 && names.includes(name)) add([name], `expected a duration above 0, got '${value}'.`)
    else if (p === before?.p) add([name], `expected either p50 or median, got both.`)
    else if (ms < (parseDuration(before?.value) ?? 0))
      add([name], `expected a duration of at least ${before!.name} ('${before!.value}'), got '${value}'.`)
  }
}

const LOAD = 'a share for each other call in flight: 20% per call'
const queue = mapOf(
  {
    concurrent: count(1, 10_000).describe('the number of calls that are served at once'),
    waiting: count(0, 10_000).describe('the number of calls that wait; the next one is a 503'),
  },
  'a queue, such as { concurrent: 4, waiting: 10 }',
  ['concurrent', 'waiting'],
)
export const pace = mapOf(
  {
    profile: oneOf(PACE_PROFILE_NAMES).describe(
      `measured firstToken and perToken, by name; fields beside it replace its own: ${PACE_PROFILE_NAMES.join(', ')}`,
    ),
    firstToken: spread.describe(`time until the first token, or until the vectors: ${SPREAD}`),
    perToken: spread.describe(`time for each token after the first: ${SPREAD}`),
    perInputToken: spread.describe(
      `time for each token of the prompt or of the inputs; drawn once per call: ${SPREAD}`,
    ),
    cachedInputToken: spread.describe(
      `the same for each token of the prompt that is read from the cache, in place of perInputToken; default: no time. ${SPREAD}`,
    ),
    load: text(/^\d{1,5}(?:\.\d{1,3})?% per call$/, LOAD).describe(`the growth of these times: ${LOAD}`),
    queue: queue.describe('the calls that are served at once and those that wait, for all keys together'),
  },
  'a pace, such as { firstToken: 300ms, perToken: 20ms }',
)
