/** The fields of `expect`: the expectations of a run. */
import * as z from 'zod'
import { parseBound } from '../../lib/text/duration.ts'
import { only, optional, text } from './fields.ts'

/** A text of this form that a run can keep to: nothing is below 0. */
const bound = (form: RegExp, allowed: string, error = `${allowed}; nothing is below 0`) =>
  text(form, allowed).refine(
    (value) => {
      const { comparison, value: amount } = parseBound(value)
      return comparison !== 'below' || amount > 0
    },
    { error },
  )

const COUNT = 'a bound such as <= 3, < 100, at least 1 or 5'
const ANY_COUNT = /^(?:<=? ?|at least )?\d{1,12}$/
const count = z.union([z.int().min(0), bound(ANY_COUNT, COUNT)], { error: COUNT }).meta({ description: COUNT })
const UP_TO = 'a bound such as < 1%, <= 3 or 0'
const share = z
  .union([z.int().min(0), bound(/^(?:<=? ?)(?:\d{1,12}|(?:100|\d{1,2}(?:\.\d{1,4})?)%)$/, UP_TO)], { error: UP_TO })
  .meta({ description: UP_TO })
const COST = 'a bound in US dollars such as < $0.50'
const TIME = 'a bound such as < 2s or <= 300ms'
const time = bound(/^<=? ?(?:\d+(?:\.\d+)?(?:ms|s|m|h|d)){1,10}$/, TIME, TIME)
const percentile = (part: string) =>
  optional(time, `the time that ${part} of the answered calls took at most, from arrival to end: ${TIME}`)

export const expectations = only(
  {
    calls: optional(count, `calls: ${COUNT}`),
    errors: optional(share, `calls that got an error, no answer, or half of one: ${UP_TO}`),
    unrecovered: optional(share, `such calls that no retry followed, and their share of all requests: ${UP_TO}`),
    retries: optional(count, `the most retries of one request: ${COUNT}`),
    tokens: optional(count, `tokens of all prompts and answers: ${COUNT}`),
    cost: optional(bound(/^<=? ?\$\d{1,9}(?:\.\d{1,6})?$/, COST), `their cost by the prices of the models: ${COST}`),
    p50: percentile('half'),
    p90: percentile('90%'),
    p95: percentile('95%'),
    p99: percentile('99%'),
  },
  'expectations, such as { errors: < 1%, p99: < 2s }',
)
