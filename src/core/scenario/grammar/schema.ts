/**
 * The scenario grammar: one zod schema, the source of the type, of the checks and of scenario.schema.json.
 *
 * The message of every schema is only what is expected, because problems.ts writes "expected X, got Y" around it. For an
 * unknown key it is the list of known keys. Checks beyond the shape are in *-checks.ts. Durations, rates and patterns stay
 * text here; compile/ turns them into numbers and functions.
 */

import * as z from 'zod'
import { MODEL_ENDPOINTS } from '../../request/endpoints.ts'
import { DURATION_PATTERN, parseDuration } from '../../text/duration.ts'
import { NUMBERS } from '../conditions/kinds/value.ts'
import { FAULT, faultName, optionFields, optionRules } from './fault-fields.ts'
import {
  byName,
  chance,
  count,
  DAY_MS,
  DURATION,
  duration,
  flag,
  isPositive,
  list,
  numbers,
  oneOf,
  oneOrMany,
  only,
  POSITIVE,
  plain,
  positive,
  RATES,
  rates,
  report,
  text,
} from './fields.ts'
import { pace } from './pace-fields.ts'
import { reply, when } from './reply-fields.ts'
import { checkFault, checkLoneOptions } from './rule-checks.ts'
import { checkSchedule } from './schedule-checks.ts'
import { checkStates, STATE_NAME } from './state-checks.ts'

const EACH = 'a whole number from 1'
const SPAN = 'two times since the start, such as 10s and 20s, or a list of them'
const TIME = DURATION_PATTERN.source.slice(1, -1)
const span = text(new RegExp(`^${TIME} and ${TIME}$`), SPAN).refine(
  (value) => value.split(' and ').every((time) => (parseDuration(time) ?? 0) <= DAY_MS),
  { error: SPAN },
)
const bursts = only(
  {
    good: positive.meta({ description: `mean length of a good period: ${POSITIVE}` }),
    bad: positive.meta({ description: `mean length of a bad period, in which the fault applies: ${POSITIVE}` }),
  },
  'the mean lengths of good and bad periods, such as { good: 30s, bad: 5s }',
)
/** Which of the calls that `when` matches a fault applies to. */
const schedule = {
  attempt: numbers(NUMBERS)
    .optional()
    .meta({ description: `applies only to these attempts, as under when: ${NUMBERS}` }),
  chance: chance.optional(),
  between: oneOrMany(span, SPAN)
    .optional()
    .meta({ description: `applies only between two times: ${SPAN}` }),
  from: duration.optional().meta({ description: `applies from this time after the start: ${DURATION}` }),
  until: duration.optional().meta({ description: `applies until this time after the start: ${DURATION}` }),
  bursts: bursts
    .optional()
    .meta({ description: 'applies only in bad periods, which alternate with good ones at random' }),
  every: count(EACH)
    .optional()
    .meta({ description: 'applies to every n-th call of a key for which the rest of the rule holds' }),
  times: count(EACH).optional().meta({ description: 'applies to at most n calls of each key' }),
}
/** The names of a fault's schedule. */
export const SCHEDULE_NAMES: readonly string[] = Object.keys(schedule)

const faultRule = only(
  { fault: faultName, when: when.optional(), ...schedule, ...optionFields },
  'a fault with its settings, such as { fault: server-error, chance: 5% }',
)
  .superRefine(...report(checkFault))
  .superRefine(...report(checkSchedule))
  .meta({ description: 'A fault that applies without being asked for.', ...optionRules })
const faultRules = list(faultRule, 'a list of faults')

const CONCURRENT = 'a whole number from 1'
const limits = only(
  {
    requests: rates.optional().meta({ description: `requests per key: ${RATES}` }),
    tokens: rates.optional().meta({ description: `tokens per key, of prompts and answers: ${RATES}` }),
    concurrent: count(CONCURRENT)
      .optional()
      .meta({ description: `calls in flight per key: ${CONCURRENT}` }),
  },
  'limits, such as { requests: 60 per minute }',
).meta({ description: 'What each key may use. A call over a limit is a 429.' })

const keySettings = only(
  {
    limits: limits
      .optional()
      .meta({ description: "limits of this key; each kind replaces the scenario's limit of that kind" }),
    fault: faultName.optional().meta({ description: `applies to every call with this key: ${FAULT}` }),
    ...optionFields,
  },
  'the settings of a key, or {} for none',
)
  .superRefine(...report(checkFault))
  .superRefine(...report(checkLoneOptions))
  .meta(optionRules)

const WHOLE = 'a whole number from 1'
const modelSettings = only(
  {
    endpoint: oneOf(MODEL_ENDPOINTS).optional().meta({ description: 'the only endpoint of this model. Default: all' }),
    snapshot: plain('a name').optional().meta({ description: 'the dated model name in answers' }),
    contextTokens: count(WHOLE).optional().meta({ description: 'context length in tokens; longer messages are a 400' }),
    maxOutputTokens: count(WHOLE)
      .optional()
      .meta({ description: 'maximum output in tokens; a larger max_tokens is a 400' }),
    reasoning: flag().optional().meta({ description: 'whether it is a reasoning model, which refuses max_tokens' }),
    dimensions: count('a whole number from 1 to 8192', 8192)
      .optional()
      .meta({ description: 'length of its vectors. Default: 1536' }),
    fixedDimensions: flag().optional().meta({ description: 'whether it refuses the parameter dimensions' }),
    limits: limits
      .optional()
      .meta({ description: "limits of this model, per key; each kind replaces the scenario's limit of that kind" }),
    pace: pace
      .optional()
      .meta({ description: "how long its answers take; fields left out are those of the scenario's pace" }),
  },
  'the settings of a model, or {} for none',
)

const LASTS = 'a number of calls or a duration, such as 20 calls or 30s (from 1ms to a day)'
const CALLS = '(?:1 call|[1-9]\\d{0,11} calls)'
const state = only(
  {
    faults: faultRules.optional().meta({ description: "faults in this state; they come before the scenario's faults" }),
    pace: pace.optional().meta({ description: "how long answers take in this state; replaces the scenario's pace" }),
    lasts: text(new RegExp(`^${CALLS}$|${DURATION_PATTERN.source}`), LASTS)
      .refine((value) => parseDuration(value) === undefined || isPositive(value), { error: LASTS })
      .optional()
      .meta({ description: `when it ends: ${LASTS}. Default: never` }),
    next: plain('the name of a state').optional().meta({ description: 'the next state' }),
  },
  'the settings of a state, or {} for none',
)

const SEED = 'a whole number or a text'

/** The whole file. */
export const scenarioSchema = only(
  {
    $schema: z
      .string({ error: 'text' })
      .optional()
      .meta({ description: 'the address of the JSON Schema, for editors' }),
    description: plain('a sentence').optional().meta({ description: 'What this scenario shows, in one sentence.' }),
    seed: z
      .union([z.int(), z.string()], { error: SEED })
      .optional()
      .meta({ description: `the seed of all random choices: ${SEED}. Default: 1` }),
    validation: oneOf(['strict', 'lenient']).optional().meta({
      description:
        'strict: unknown parameters are a 400, as in the real service. lenient (default): they are accepted and noted',
    }),
    keys: byName(keySettings, 'keys with their settings, such as { sk-test: {} }').optional().meta({
      description: 'accepted keys; * matches any characters. Default: any key (a key is required)',
    }),
    models: byName(modelSettings, 'models with their settings, such as { echo-1: {} }')
      .optional()
      .meta({ description: 'known models; * matches any characters. Default: any model name' }),
    replies: list(reply, 'a list of rules')
      .optional()
      .meta({ description: 'reply rules; the first match answers. Without a match, see unmatched' }),
    unmatched: oneOf(['echo', 'refuse']).optional().meta({
      description:
        'what happens to a chat that no rule matches. echo (default): it gets its last user message back. refuse: it gets a 404 that names the nearest rule',
    }),
    limits: limits.optional(),
    pace: pace.optional().meta({ description: 'how long answers take' }),
    faults: faultRules
      .optional()
      .meta({ description: 'faults that apply without being asked for; the first rule that matches decides' }),
    states: byName(state, 'states by name, such as { healthy: {}, down: { faults: [{ fault: overloaded }] } }')
      .optional()
      .meta({
        description: 'the states of the service, for all keys together; the first one is the initial state',
        minProperties: 1,
        propertyNames: { pattern: STATE_NAME.source },
      }),
  },
  'a map, such as { description: My first scenario }',
)
  .superRefine(...report(checkStates))
  .meta({
    title: 'llm-api-mock scenario',
    description: 'A scenario of llm-api-mock: keys, models, replies, limits, faults and states.',
  })

/** A scenario as it is written, in a file or in code. */
export type ScenarioSource = z.input<typeof scenarioSchema>
