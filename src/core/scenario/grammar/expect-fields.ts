/** The fields of `expect`, the expectations of a run: `expect: { errors: < 1%, retries: <= 3, p99: < 2s }`. */
import * as z from 'zod'
import { either, mapOf, text } from './fields.ts'

/** `< 0`, `< 0%`, `< 0ms` */
const BELOW_NOTHING = /^<(?!=)[^1-9]*$/
/**
 * A text of a form, but no bound that no run can meet, such as `< 0`.
 * @param allowed what messages say of the form. @param error the same for a bound that no run can meet.
 */
const bound = (form: RegExp, allowed: string, error = `${allowed}; nothing is below 0`) =>
  text(form, allowed, (value) => !BELOW_NOTHING.test(value), error)

const wholeNumber = (error: string) => z.int({ error }).min(0, { error })

const COUNT = 'a bound such as <= 3, < 100, at least 1 or 5'
const count = either([wholeNumber(COUNT), bound(/^(?:<=? ?|at least )?\d{1,12}$/, COUNT)], COUNT)
const UP_TO = 'a bound such as < 1%, <= 3 or 0'
/** A count or a share of calls. */
const share = either(
  [wholeNumber(UP_TO), bound(/^(?:<=? ?)(?:\d{1,12}|(?:100|\d{1,2}(?:\.\d{1,4})?)%)$/, UP_TO)],
  UP_TO,
)
const TIME = 'a bound such as < 2s or <= 300ms'
const time = bound(/^<=? ?(?:\d+(?:\.\d+)?(?:ms|s|m|h|d)){1,10}$/, TIME, TIME)
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
