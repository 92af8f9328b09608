/**
 * The scenario grammar: one zod schema, the source of the type, of the checks and of scenario.schema.json.
 *
 * The message of every rule is the sentence of what is allowed and nothing else, because problems.ts reports
 * "found X, allowed is Y". For an unknown key it is the list of known ones. What is more than shape is in
 * rule-checks.ts. Durations, rates and patterns stay text here; compile.ts turns them into what the core runs on.
 */
import * as z from 'zod'
import { DURATION_PATTERN, parseDuration, WINDOWS } from '../duration.ts'
import { FAULT, faultName, optionFields, optionRules } from './fault-fields.ts'
import {
  checkFault,
  checkLoneOptions,
  checkPattern,
  checkPlaceholders,
  checkRange,
  checkRates,
  checkSpeech,
  checkTail,
  type Finding,
  SPEECHES,
} from './rule-checks.ts'
import { checkSchedule } from './schedule-checks.ts'
import { checkStates, STATE_NAME } from './state-checks.ts'

/** An object with these keys and no others. */
const only = <Shape extends z.ZodRawShape>(shape: Shape, allowed: string) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : allowed),
  })
const byName = <Value extends z.ZodType>(value: Value, allowed: string) =>
  z.record(z.string().min(1), value, {
    error: (issue) => (issue.code === 'invalid_key' ? 'a name of at least one character' : allowed),
  })
const list = <Item extends z.ZodType>(item: Item, allowed: string) => z.array(item, { error: allowed })
const oneOrMany = <Item extends z.ZodType>(item: Item, allowed: string) =>
  z.union([item, list(item, allowed).min(1, { error: allowed })], { error: allowed }).meta({ description: allowed })
const plain = (allowed: string) => z.string({ error: allowed }).min(1, { error: allowed })
const text = (pattern: RegExp, allowed: string) =>
  z.string({ error: allowed }).regex(pattern, { error: allowed }).meta({ description: allowed })
const count = (allowed: string, max = Number.MAX_SAFE_INTEGER) =>
  z.int({ error: allowed }).min(1, { error: allowed }).max(max, { error: allowed })
const flag = () => z.boolean({ error: 'true or false' })
const oneOf = <const Names extends readonly string[]>(names: Names) => z.enum(names, { error: names.join(' or ') })

/** What a check finds, as zod's issues; by default it runs even where the shape has problems in some other place. */
function report<Value>(check: (value: Value) => Finding[], runs: (payload: z.core.ParsePayload) => boolean = isWhole) {
  const refinement = (value: unknown, context: z.RefinementCtx): void => {
    for (const { path, message, isKey = false } of check(value as Value))
      context.addIssue({ code: 'custom', path: [...path], message, params: { isKey } })
  }
  return [refinement, { when: runs }] as const
}

const isWhole = ({ value }: z.core.ParsePayload): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value))

// Beside "unknown key 'sya', did you mean 'say'?" it would only confuse to hear that say is missing.
const isWholeWithKnownKeys = (payload: z.core.ParsePayload): boolean =>
  isWhole(payload) && payload.issues.every(({ code, path }) => code !== 'unrecognized_keys' || (path ?? []).length > 0)

const DURATION = 'a duration with a unit, at most a day: 300ms, 2s, 1m30s'
const DAY_MS = WINDOWS.day
const duration = text(DURATION_PATTERN, DURATION).refine((value) => (parseDuration(value) ?? 0) <= DAY_MS, {
  error: DURATION,
})
const POSITIVE = 'a duration with a unit, from 1ms to a day: 300ms, 2s, 1m30s'
const isPositive = (value: string): boolean => {
  const ms = parseDuration(value) ?? 0
  return ms >= 1 && ms <= DAY_MS
}
const positive = text(DURATION_PATTERN, POSITIVE).refine(isPositive, { error: POSITIVE })
const RATE = `a rate: 60 per minute (or per second, hour, day)`
const rate = text(new RegExp(`^[1-9]\\d{0,11} per (?:${Object.keys(WINDOWS).join('|')})$`), RATE)
const RATES = `${RATE}, or a list of them with a window each`
const rates = oneOrMany(rate, RATES).superRefine(...report(checkRates, () => true))
const TEXTS = 'text that must occur (in any case), a pattern /like this/i, or a list of them'
const texts = oneOrMany(plain(TEXTS).superRefine(...report(checkPattern)), TEXTS)
const NAMES = 'a name, in which * stands for any characters, or a list of them'
const names = oneOrMany(plain(NAMES), NAMES)
const NUMBERS = 'a whole number from 1, or a list of them'
const numbers = oneOrMany(count(NUMBERS), NUMBERS)
const STATES = 'the name of a state, or a list of them'
const CHANCE = 'a chance: 5%, or a number from 0 to 1'
const chance = z
  .union(
    [
      text(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, CHANCE),
      z.number({ error: CHANCE }).min(0, { error: CHANCE }).max(1, { error: CHANCE }),
    ],
    { error: CHANCE },
  )
  .meta({ description: CHANCE })

const ENDPOINTS = ['chat', 'embeddings'] as const
const conditions = {
  user: texts.optional().meta({ description: `the last user message: ${TEXTS}` }),
  system: texts.optional().meta({ description: `the system or developer text: ${TEXTS}` }),
  toolResult: texts.optional().meta({ description: `the last message, where it is a tool's result: ${TEXTS}` }),
  model: names.optional().meta({ description: `the model asked for: ${NAMES}` }),
  key: names.optional().meta({ description: `the API key: ${NAMES}` }),
  tool: names.optional().meta({ description: `a tool that the call offers: ${NAMES}` }),
  endpoint: oneOf(ENDPOINTS).optional().meta({ description: 'the endpoint: chat or embeddings' }),
  stream: flag().optional().meta({ description: 'whether the call asks for a stream: true or false' }),
  attempt: numbers.optional().meta({ description: `how often this key has sent this very request: ${NUMBERS}` }),
  state: oneOrMany(plain(STATES), STATES)
    .optional()
    .meta({ description: `the state that the scenario is in: ${STATES}` }),
  turn: numbers.optional().meta({ description: `the number of user messages so far: ${NUMBERS}` }),
}
const when = only(conditions, 'conditions, such as { user: hello }').meta({
  description: 'Conditions; all of them must hold.',
})

/** The names that stand under `when`. */
export const CONDITION_NAMES: readonly string[] = Object.keys(conditions)

const anything = (allowed: string) => z.record(z.string(), z.unknown(), { error: allowed })
const SAY =
  'a text, an object (said as JSON), or a list of these said one after the other for each key (the last one stays)'
const said = z.union([z.string(), anything(SAY)], { error: SAY })
const CALL = 'a call, such as { name: get_weather, arguments: { city: Paris } }, or a list of calls made at once'
const ARGUMENTS = 'an object, or a text that is sent as it is'
const call = only(
  {
    name: plain('the name of a tool').meta({ description: 'the tool; the rule speaks only if the request offers it' }),
    arguments: z
      .union([z.string(), anything(ARGUMENTS)], { error: ARGUMENTS })
      .optional()
      .meta({ description: `${ARGUMENTS}; absent: drawn from the tool's JSON Schema` }),
  },
  CALL,
)
const FINISHES = ['length', 'content_filter'] as const
const reply = only(
  {
    when: when.optional(),
    say: oneOrMany(said, SAY).optional(),
    call: oneOrMany(call, CALL).optional(),
    refuse: plain('the words of a refusal').optional().meta({ description: 'a refusal: its words stand in `refusal`' }),
    finish: oneOf(FINISHES)
      .optional()
      .meta({ description: 'beside say: the finish_reason, as if the text had been broken off there' }),
    fault: faultName.optional(),
    ...optionFields,
  },
  'a rule, such as { when: { user: hello }, say: Hi! }',
)
  .superRefine(...report(checkSpeech, isWholeWithKnownKeys))
  .superRefine(...report(checkFault))
  .superRefine(...report(checkLoneOptions))
  .superRefine(...report(checkPlaceholders))
  .meta({
    description: 'A rule: when it matches, it speaks. The first that matches wins.',
    oneOf: SPEECHES.map((name) => ({ required: [name] })),
    dependentRequired: { finish: ['say'] },
    ...optionRules,
  })

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
  attempt: numbers.optional().meta({ description: `the same as under when: ${NUMBERS}` }),
  chance: chance.optional(),
  between: oneOrMany(span, SPAN)
    .optional()
    .meta({ description: `strikes only then: ${SPAN}` }),
  from: duration.optional().meta({ description: `strikes only from this time since the start on: ${DURATION}` }),
  until: duration.optional().meta({ description: `strikes only before this time since the start: ${DURATION}` }),
  bursts: bursts.optional().meta({ description: 'strikes only in bad spells, which come and go by themselves' }),
  every: count(EACH).optional().meta({ description: 'strikes only each n-th call of a key that all the rest matches' }),
  first: count(EACH).optional().meta({ description: 'strikes each key at most n times' }),
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

const SPREAD = `${DURATION}; or drawn anew for each wait: { min: 200ms, max: 600ms } evenly, { median: 300ms, p99: 900ms } lognormally, with tail: heavy as a Pareto distribution`
const spread = z
  .union(
    [
      duration,
      only({ min: duration, max: duration }, SPREAD).superRefine(...report(checkRange)),
      only({ median: duration, p99: duration, tail: oneOf(['heavy']).optional() }, SPREAD).superRefine(
        ...report(checkTail),
      ),
    ],
    { error: SPREAD },
  )
  .meta({ description: SPREAD })
const LOAD = 'a share for each other call in flight: 20% per call'
const PLACES = 'a whole number from 1 to 10000'
const WAITING = 'a whole number from 0 to 10000'
const queue = only(
  {
    concurrent: count(PLACES, 10_000).meta({ description: 'how many calls are served at once' }),
    waiting: z
      .int({ error: WAITING })
      .min(0, { error: WAITING })
      .max(10_000, { error: WAITING })
      .meta({ description: 'how many more wait their turn; beyond them the answer is 503' }),
  },
  'a queue, such as { concurrent: 4, waiting: 10 }',
)
const pace = only(
  {
    firstToken: spread.optional().meta({ description: `wait until the first token, or the vectors: ${SPREAD}` }),
    perToken: spread.optional().meta({ description: `wait for each token after the first: ${SPREAD}` }),
    perInputToken: spread.optional().meta({
      description: `wait for each token of a prompt, or of the inputs to embed; drawn once a call: ${SPREAD}`,
    }),
    load: text(/^\d{1,5}(?:\.\d{1,3})?% per call$/, LOAD)
      .optional()
      .meta({ description: `how much longer all of these take: ${LOAD}` }),
    queue: queue.optional().meta({ description: 'places to be served in, and to wait in, for calls of all keys' }),
  },
  'a pace, such as { firstToken: 300ms, perToken: 20ms }',
)

const WHOLE = 'a whole number from 1'
const modelSettings = only(
  {
    endpoint: oneOf(ENDPOINTS).optional().meta({ description: 'the only endpoint it serves; absent: both' }),
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

const LASTS = 'how many calls or how long: 1 call, 20 calls, or a duration from 1ms to a day such as 30s'
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
    next: plain(STATES).optional().meta({ description: 'the state that comes then' }),
  },
  'the settings of a state, or {} for none',
)

const SEED = 'a whole number or a text'

/** The whole file. */
export const scenarioSchema = only(
  {
    $schema: z.string({ error: 'text' }).optional().meta({ description: 'for editors' }),
    description: plain('a sentence').meta({ description: 'What this scenario shows, in one sentence.' }),
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
      .meta({ description: 'the first that matches speaks; none: the last user message is echoed' }),
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
  'a map with at least a description, such as { description: My first scenario }',
)
  .superRefine(...report(checkStates))
  .meta({
    title: 'llm-api-mock scenario',
    description: 'A world for llm-api-mock: keys, models, replies, limits, faults, states.',
  })

/** A scenario as it is written, in a file or in code. */
export type ScenarioSource = z.input<typeof scenarioSchema>
