/** The fields of `expect`, the expectations of a run: `expect: { errors: < 1%, retries: <= 3, p99: < 2s }`. */
import * as z from 'zod'
import { either, mapOf, text } from './fields.ts'

const wholeNumber = (error: string) => z.int({ error }).min(0, { error })

const COUNT = 'a bound such as <= 3, < 100, at least 1 or 5'
const count = either([wholeNumber(COUNT), text(/^(?:<=? ?|at least )?\d{1,12}$/, COUNT)], COUNT)
const UP_TO = 'a bound such as < 1%, <= 3 or 0'
/** A count or a share of calls. */
const share = either([wholeNumber(UP_TO), text(/^(?:<=? ?)(?:\d{1,12}|(?:100|\d{1,2}(?:\.\d{1,4})?)%)$/, UP_TO)], UP_TO)
const TIME = 'a bound such as < 2s or <= 300ms'
const time = text(/^<=? ?(?:\d+(?:\.\d+)?(?:ms|s|m|h|d)){1,10}$/, TIME)
const percentile = (part: string) =>
  time.describe(`the time that ${part} of the answered calls took at most, from arrival to end: ${TIME}`)

export const expectations = mapOf(
  {
    calls: count.describe(`calls: ${COUNT}`),
    errors: share.describe(`calls that got an error, no answer, or half of one: ${UP_TO}`),
    unrecovered: share.describe(`such calls that no retry followed, and their share of all requests: ${UP_TO}`),
    retries: count.describe(`the most retries of one request: ${COUNT}`),
    p50: percentile('half'),
    p90: percentile('90%'),
    p95: percentile('95%'),
    p99: percentile('99%'),
  },
  'expectations, such as { errors: < 1%, p99: < 2s }',
)
