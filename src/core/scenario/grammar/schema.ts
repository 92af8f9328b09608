/**
 * The scenario grammar: one zod schema, the source of the type, of the checks and of scenario.schema.json.
 *
 * The message of every rule is the sentence of what is allowed and nothing else, because problems.ts reports
 * "found X, allowed is Y". For an unknown key it is the list of known ones. What is more than shape is in
 * rule-checks.ts. Durations, rates and patterns stay text here; compile.ts turns them into what the core runs on.
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
    good: positive.meta({ description: `mean length of a good spell: ${POSITIVE}` }),
    bad: positive.meta({ description: `mean length of a bad spell: ${POSITIVE}` }),
  },
  'the mean lengths of good and bad spells, such as { good: 30s, bad: 5s }',
)
/** Which of the calls that `when` matches a fault strikes. */
const schedule = {
  attempt: numbers(NUMBERS)
    .optional()
    .meta({ description: `the same as under when: ${NUMBERS}` }),
  chance: chance.optional(),
  between: oneOrMany(span, SPAN)
    .optional()
    .meta({ description: `strikes only then: ${SPAN}` }),
  from: duration.optional().meta({ description: `strikes only from this time since the start on: ${DURATION}` }),
  until: duration.optional().meta({ description: `strikes only before this time since the start: ${DURATION}` }),
  bursts: bursts.optional().meta({ description: 'strikes only in bad spells, which come and go by themselves' }),
  every: count(EACH).optional().meta({ description: 'strikes only each n-th call of a key that all the rest matches' }),
  times: count(EACH).optional().meta({ description: 'happens to at most n calls of each key' }),
}
/** The names of a fault's schedule. */
export const SCHEDULE_NAMES: readonly string[] = Object.keys(schedule)

const faultRule = only(
  { fault: faultName, when: when.optional(), ...schedule, ...optionFields },
  'a fault with its settings, such as { fault: server-error, chance: 5% }',
)
  .superRefine(...report(checkFault))
  .superRefine(...report(checkSchedule))
  .meta({ description: 'A fault that strikes by itself.', ...optionRules })
const faultRules = list(faultRule, 'a list of faults')

const CONCURRENT = 'a whole number from 1'
const limits = only(
  {
    requests: rates.optional().meta({ description: `requests of a key: ${RATES}` }),
    tokens: rates.optional().meta({ description: `tokens of a key, those of the answer too: ${RATES}` }),
    concurrent: count(CONCURRENT)
      .optional()
      .meta({ description: `calls of a key under way at once: ${CONCURRENT}` }),
  },
  'limits, such as { requests: 60 per minute }',
).meta({ description: 'What a key may use; over it the answer is 429.' })

const keySettings = only(
  {
    limits: limits
      .optional()
      .meta({ description: "limits of this key, in the place of the scenario's of the same kind" }),
    fault: faultName.optional().meta({ description: `every call with this key meets it: ${FAULT}` }),
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
    endpoint: oneOf(MODEL_ENDPOINTS).optional().meta({ description: 'the only endpoint it serves; absent: all' }),
    snapshot: plain('a name').optional().meta({ description: 'the dated name that answers carry' }),
    contextTokens: count(WHOLE).optional().meta({ description: 'longer messages are a 400' }),
    maxOutputTokens: count(WHOLE).optional().meta({ description: 'a larger max_tokens is a 400' }),
    reasoning: flag().optional().meta({ description: 'refuses max_tokens, as reasoning models do' }),
    dimensions: count('a whole number from 1 to 8192', 8192)
      .optional()
      .meta({ description: 'size of its vectors; default 1536' }),
    fixedDimensions: flag().optional().meta({ description: 'refuses the parameter dimensions' }),
    limits: limits
      .optional()
      .meta({ description: "limits of this model for each key, in the place of the scenario's of the same kind" }),
    pace: pace.optional().meta({ description: 'how long its answers take; what it leaves out is as in the scenario' }),
  },
  'the settings of a model, or {} for none',
)

const LASTS = 'a number of calls or a duration, such as 20 calls or 30s (from 1ms to a day)'
const CALLS = '(?:1 call|[1-9]\\d{0,11} calls)'
const state = only(
  {
    faults: faultRules.optional().meta({ description: "faults while it lasts; they come before the scenario's" }),
    pace: pace
      .optional()
      .meta({ description: "how long answers take while it lasts, in place of the scenario's pace" }),
    lasts: text(new RegExp(`^${CALLS}$|${DURATION_PATTERN.source}`), LASTS)
      .refine((value) => parseDuration(value) === undefined || isPositive(value), { error: LASTS })
      .optional()
      .meta({ description: `what ends it: ${LASTS}; absent: it stays` }),
    next: plain('the name of a state').optional().meta({ description: 'the state that comes then' }),
  },
  'the settings of a state, or {} for none',
)

const SEED = 'a whole number or a text'

/** The whole file. */
export const scenarioSchema = only(
  {
    $schema: z.string({ error: 'text' }).optional().meta({ description: 'for editors' }),
    description: plain('a sentence').optional().meta({ description: 'What this scenario shows, in one sentence.' }),
    seed: z
      .union([z.int(), z.string()], { error: SEED })
      .optional()
      .meta({ description: `the seed of everything drawn, ${SEED}; default 1` }),
    validation: oneOf(['strict', 'lenient']).optional().meta({
      description:
        'strict refuses unknown parameters as the real service does; lenient (default) accepts and notes them',
    }),
    keys: byName(keySettings, 'keys with their settings, such as { sk-test: {} }').optional().meta({
      description: 'accepted keys, * stands for any characters; absent: any key is accepted, a missing one is not',
    }),
    models: byName(modelSettings, 'models with their settings, such as { echo-1: {} }')
      .optional()
      .meta({ description: 'known models; absent: any model name is accepted' }),
    replies: list(reply, 'a list of rules')
      .optional()
      .meta({ description: 'the first that matches speaks; none: see unmatched' }),
    unmatched: oneOf(['echo', 'refuse']).optional().meta({
      description:
        'a chat that no reply rule matches: echo (default) says its last user message back; refuse is a 404 that names the nearest rule',
    }),
    limits: limits.optional(),
    pace: pace.optional().meta({ description: 'how long answers take' }),
    faults: faultRules.optional().meta({ description: 'faults that strike by themselves; the first that matches' }),
    states: byName(state, 'states by name, such as { healthy: {}, down: { faults: [{ fault: overloaded }] } }')
      .optional()
      .meta({
        description: 'states that follow each other by calls or time, for all keys; the first is the start',
        minProperties: 1,
        propertyNames: { pattern: STATE_NAME.source },
      }),
  },
  'a map, such as { description: My first scenario }',
)
  .superRefine(...report(checkStates))
  .meta({
    title: 'llm-api-mock scenario',
    description: 'A world for llm-api-mock: keys, models, replies, limits, faults, states.',
  })

/** A scenario as it is written, in a file or in code. */
export type ScenarioSource = z.input<typeof scenarioSchema>
