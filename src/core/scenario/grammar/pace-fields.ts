/** The fields of a pace: how long answers take. */
import * as z from 'zod'
import { parseDuration } from '../../lib/text/duration.ts'
import type { JsonObject } from '../../lib/text/json.ts'
import type { Problem } from '../check/problem.ts'
import { PACE_PROFILE_NAMES } from '../compile/pace.ts'
import { count, DURATION, duration, oneOf, only, optional, report, text } from './fields.ts'

const SPREAD = `${DURATION}, a range such as { min: 200ms, max: 600ms }, or a distribution such as { median: 300ms, p99: 900ms } (lognormal, or Pareto with tail: heavy)`
const spread = z
  .union(
    [
      duration,
      only({ min: duration, max: duration }, SPREAD).superRefine(...report(checkSpread)),
      only({ median: duration, p99: duration, tail: oneOf(['heavy']).optional() }, SPREAD).superRefine(
        ...report(checkSpread),
      ),
    ],
    { error: SPREAD },
  )
  .meta({ description: SPREAD })

/** Checks that a range goes up, and that p99 is not below a median above 0. */
function checkSpread({ min, max, median, p99 }: JsonObject): Problem[] {
  if (parseDuration(median) === 0)
    return [{ path: ['median'], message: `expected a duration above 0, got '${median}'.` }]
  const isAscending = (low: unknown, high: unknown): boolean =>
    (parseDuration(low) ?? 0) <= (parseDuration(high) ?? Number.POSITIVE_INFINITY)
  if (!isAscending(min, max))
    return [{ path: ['max'], message: `expected a duration of at least min ('${min}'), got '${max}'.` }]
  if (!isAscending(median, p99))
    return [{ path: ['p99'], message: `expected a duration of at least median ('${median}'), got '${p99}'.` }]
  return []
}

const LOAD = 'a share for each other call in flight: 20% per call'
const queue = only(
  {
    concurrent: count(1, 10_000).meta({ description: 'the number of calls that are served at once' }),
    waiting: count(0, 10_000).meta({ description: 'the number of calls that wait; the next one is a 503' }),
  },
  'a queue, such as { concurrent: 4, waiting: 10 }',
)
export const pace = only(
  {
    profile: optional(
      oneOf(PACE_PROFILE_NAMES),
      `measured firstToken and perToken, by name; fields beside it replace its own: ${PACE_PROFILE_NAMES.join(', ')}`,
    ),
    firstToken: optional(spread, `time until the first token, or until the vectors: ${SPREAD}`),
    perToken: optional(spread, `time for each token after the first: ${SPREAD}`),
    perInputToken: optional(
      spread,
      `time for each token of the prompt or of the inputs; drawn once per call: ${SPREAD}`,
    ),
    cachedInputToken: optional(
      spread,
      `the same for each token of the prompt that is read from the cache, in place of perInputToken; default: no time. ${SPREAD}`,
    ),
    load: optional(text(/^\d{1,5}(?:\.\d{1,3})?% per call$/, LOAD), `the growth of these times: ${LOAD}`),
    queue: optional(queue, 'the calls that are served at once and those that wait, for all keys together'),
  },
  'a pace, such as { firstToken: 300ms, perToken: 20ms }',
)
