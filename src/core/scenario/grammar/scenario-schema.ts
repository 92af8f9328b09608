/**
 * The scenario grammar: one zod schema, the source of the types, of the checks and of scenario.schema.json.
 *
 * The message of every schema is only what is expected, because check-source.ts writes "expected X, got Y" around it. For
 * an unknown key it is the list of known keys. A check beyond the shape is a function of any value beside the fields that
 * it checks. Durations, rates and patterns stay text here; compile/ turns them into numbers and functions.
 */

import * as z from 'zod'
import { isObject } from '../../lib/text/json.ts'
import { SESSION_NAME, SESSION_NAMES } from '../../protocol/request/address.ts'
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { IGNORED_PATH } from '../compile/ignore.ts'
import { patternParts } from '../compile/pattern-text.ts'
import { expectations } from './expect-fields.ts'
import {
  checkLoneOptions,
  checkScheduledFault,
  FAULT,
  faultName,
  faultRules,
  scheduledOptionFields,
} from './fault-fields.ts'
import {
  byName,
  checkPattern,
  count,
  either,
  flag,
  list,
  ONE_LINE,
  oneOf,
  only,
  plain,
  report,
  text,
} from './fields.ts'
import { budget, checkBudgets, checkPrices, checkSharedLimits, limits, prices, scenarioLimits } from './limit-fields.ts'
import { pace } from './pace-fields.ts'
import { reply } from './reply-fields.ts'
import { checkStates, states } from './state-fields.ts'

const SCENARIO = 'the name of a built-in scenario, or of a file beside this one'

export const keySettings = only(
  {
    limits: limits.describe("limits of this key; each kind replaces the scenario's limit of that kind"),
    budget: budget.describe("budget of this key; each unit replaces the scenario's budget in that unit"),
    fault: faultName.describe(`applies to every call with this key: ${FAULT}`),
    session: text(SESSION_NAME, SESSION_NAMES).describe(
      `the session of the calls with this key: ${SESSION_NAMES}. Default: the one that a call names, or with scenario the name of its file`,
    ),
    scenario: either([plain(SCENARIO), z.custom(isObject).meta({ inCode: 'ScenarioInput' })], SCENARIO).describe(
      `the scenario of this session, in place of this one: ${SCENARIO}, or in code a scenario`,
    ),
    ...scheduledOptionFields,
  },
  'the settings of a key, or {} for none',
).superRefine(...report([checkScheduledFault, checkLoneOptions]))

/** Chat parameters that a model may refuse. */
const REFUSABLE = [
  'stop',
  'logit_bias',
  'prediction',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'temperature',
  'top_p',
  'parallel_tool_calls',
]
/** Chat parameters that some models do not even know. */
const UNKNOWABLE = ['modalities', 'audio', 'web_search_options', 'logprobs', 'top_logprobs', 'reasoning_effort']
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const efforts = list(oneOf(EFFORTS), 'a list of efforts')
const parameters = (names: readonly string[]) => list(oneOf(names), 'a list of parameters')

const modelSupport = only(
  {
    without: parameters(REFUSABLE).describe(
      'parameters that it refuses, unless they have the value that changes nothing, such as presence_penalty: 0',
    ),
    onlyDefault: parameters(['temperature', 'top_p']).describe('parameters of which it accepts only the default, 1'),
    never: parameters(REFUSABLE).describe('parameters that it refuses whatever their value'),
    atEffortNone: parameters(REFUSABLE).describe(
      'parameters of `without` and `onlyDefault` that it accepts with the effort none',
    ),
    forbidden: parameters(['logprobs']).describe('parameters that are a 403'),
    unknown: parameters(UNKNOWABLE).describe('parameters that are unknown to it: a 400 in strict validation'),
    efforts: efforts.describe(
      'values of reasoning_effort that it accepts; [] for a model without reasoning. Default: all',
    ),
    responsesEfforts: efforts.describe(
      'values of reasoning.effort that it accepts in the Responses API. Default: efforts',
    ),
    verbosity: list(oneOf(['low', 'medium', 'high']), 'a list of values').describe(
      'values of verbosity that it accepts. Default: all',
    ),
    topLogprobs: count(0, 20).describe('the largest top_logprobs. Default: 20'),
    choices: count().describe('the largest n. Default: 128'),
    functionTools: oneOf(['with effort none', 'without effort', 'in responses only']).describe(
      'when it accepts function tools: only with reasoning_effort none, or also without reasoning_effort, or only in the Responses API. Default: always',
    ),
    tools: flag.describe('false: any tool is a 404, as for search models. Default: true'),
    jsonSchema: flag.describe('true if it accepts json_schema. Default: true'),
    images: flag.describe('false: an image is a 400. Default: true'),
    audio: oneOf(['never', 'required']).describe(
      'never: it neither hears nor answers with audio. required: the request must have audio or ask for it. Default: it answers with audio when asked',
    ),
    webSearch: flag.describe('false: web_search_options is a 400. Default: true'),
  },
  'what a model supports, such as { efforts: [low, high] }',
)

const FACTOR = { error: 'a number above 0' }
const imageTokens = either(
  [
    only(
      {
        base: count(0).describe('tokens of an image of low detail, and of every image besides its tiles'),
        tile: count(0).describe('tokens for each 512 x 512 pixels of the shrunk image'),
      },
      '{ base, tile }',
      ['base', 'tile'],
    ),
    only(
      {
        patches: z.number(FACTOR).positive(FACTOR).describe('tokens for each 32 x 32 pixels'),
        plus: count(0).describe('tokens besides them. Default: 0'),
        most: count().describe('the most patches; a larger image is shrunk. Default: none'),
      },
      '{ patches, plus, most }',
      ['patches'],
    ),
  ],
  '{ base: 85, tile: 170 } or { patches: 1.2 }',
)

const inResponses = only(
  {
    topP: z.number({ error: 'a number' }).describe('top_p of a request without one. Default: 1'),
    retention: oneOf(['in_memory', '24h']).describe(
      'prompt_cache_retention of a request without one. Default: in_memory',
    ),
    context: oneOf(['current_turn', 'all_turns']).describe(
      'reasoning.context of a request to a reasoning model without one. Default: current_turn',
    ),
    phase: flag.describe('true if a message in `output` has a phase'),
  },
  'defaults of responses, such as { topP: 0.98, phase: true }',
)

const DATE = 'a date such as 2027-01-14'
const date = text(/^\d{4}-\d\d-\d\d$/, DATE)
const published = only(
  {
    rules: plain('a text').describe('the source and the date of the rules of this model'),
    retires: date.describe('the day of its shutdown, as announced'),
    replacement: plain('the name of a model').describe('the model that the service recommends in its place'),
    prices: date.describe('the day on which its prices were read'),
  },
  'facts with dates, such as { retires: 2027-01-14 }',
)

const CACHE =
  'which prefixes of prompts from 1,024 tokens on are cached: prefixes (in steps of 128 tokens, as for models up to GPT-5.5), breakpoints (up to the last message of the user or a tool, as for models from GPT-5.6 on) or none'
const cache = oneOf(['none', 'prefixes', 'breakpoints'])

export const modelSettings = only(
  {
    endpoint: oneOf(MODEL_ENDPOINTS).describe(
      'the only endpoint of this model; one of chat has responses too. Default: all',
    ),
    snapshot: text(ONE_LINE, 'a name on one line').describe('the dated model name in answers'),
    contextTokens: count().describe('context length in tokens; longer messages, or messages and max_tokens, are a 400'),
    inputTokens: count().describe('the longest input in tokens; a longer one is a 400'),
    maxOutputTokens: count().describe('maximum output in tokens; a larger max_tokens is a 400'),
    reasoning: flag.describe('true for a reasoning model, which refuses max_tokens'),
    effort: oneOf(EFFORTS).describe('reasoning_effort of a request without one. Default: medium'),
    fingerprint: flag.describe(
      'true if system_fingerprint is a text, false if it is null. Default: false for reasoning models and for those before GPT-4o',
    ),
    logprobsKey: flag.describe(
      'false: a choice has no key logprobs; true: it is null unless asked for. Default: false for reasoning models',
    ),
    images: imageTokens.describe('the tokens of an image. Default: { base: 85, tile: 170 }'),
    supports: modelSupport.describe(
      'the parts of a chat request that it supports; the rest is a 400. Default: everything',
    ),
    responses: inResponses.describe('defaults that the responses of this model echo'),
    unavailable: oneOf(['deprecated', 'responses-only', 'not-chat', 'other-endpoints']).describe(
      'the reason why chat requests to it are a 404: the service removed it, has it in the Responses API only (responses-only and not-chat, two messages), or at other endpoints only',
    ),
    uncertain: list(plain('the name of a setting'), 'a list of settings').describe(
      'settings of which nobody has published enough; they have the simplest reading',
    ),
    published: published.describe('facts about the model with their dates and sources; they change no answer'),
    cache: cache.describe(`${CACHE}. Default: the scenario's cache`),
    dimensions: count(1, 8192).describe('length of its vectors. Default: 1536'),
    fixedDimensions: flag.describe('true if it refuses the parameter dimensions'),
    limits: limits.describe("limits of this model, per key; each kind replaces the scenario's limit of that kind"),
    prices: prices.describe('the prices of its tokens, in US dollars for a million; a budget in usd needs it'),
    pace: pace.describe("the latency of its answers; fields left out are those of the scenario's pace"),
  },
  'the settings of a model, or {} for none',
).superRefine(...report([checkPrices]))

const IGNORED = 'a path such as metadata.trace_id or messages[*].name, or a pattern such as /\\d{4}-\\d\\d/'
export const ignored = z
  .string({ error: IGNORED })
  .refine((value) => patternParts(value) !== undefined || IGNORED_PATH.test(value), { error: IGNORED })
  .superRefine(...report([checkPattern]))

const SEED = 'a whole number or a text'
const SEED_RANGE = `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, or a text`

/** The whole file. */
export const scenarioSchema = only(
  {
    $schema: z.string({ error: 'text' }).describe('the address of the JSON Schema, for editors'),
    description: plain('a sentence').describe('A sentence about what this scenario shows.'),
    seed: either([z.int({ error: SEED_RANGE }), z.string()], SEED).describe(
      `the seed of all random choices: ${SEED}. Default: 1`,
    ),
    validation: oneOf(['strict', 'lenient']).describe(
      'strict: unknown parameters are a 400, as in the real service. lenient (default): they are accepted and noted',
    ),
    keys: byName(keySettings, 'keys with their settings, such as { sk-test: {} }').describe(
      'accepted keys; * matches any characters. Default: any key (a key is required)',
    ),
    models: byName(modelSettings, 'models with their settings, such as { echo-1: {} }', true).describe(
      'known models; * matches any characters. Default: any model name',
    ),
    replies: list(reply, 'a list of rules').describe(
      'reply rules; the first match answers. Without a match, see unmatched',
    ),
    ignore: list(ignored, 'a list of paths and patterns').describe(
      `parts of a request that may differ from the recorded one (when.request): ${IGNORED}`,
    ),
    unmatched: oneOf(['echo', 'refuse']).describe(
      'the answer to a chat that no rule matches. echo (default): it gets its last user message back. refuse: it gets a 404 that names the nearest rule',
    ),
    limits: scenarioLimits,
    budget: budget.describe(
      'the total that each key may use; it does not refill, and a call after its end is a 429 insufficient_quota',
    ),
    cache: cache.describe(`the prompt cache of each key: ${CACHE}. Default: none`),
    pace: pace.describe('the latency of answers'),
    faults: faultRules.describe('faults that apply without being asked for; the first rule that matches decides'),
    states,
    expect: expectations.describe('the expectations of a run; api-mock run fails when one is not met'),
  },
  'a map, such as `description: My first scenario`',
)
  .superRefine(...report([checkStates, checkBudgets, checkSharedLimits]))
  .meta({
    title: 'llm-api-mock scenario',
    description: 'A scenario of llm-api-mock: keys, models, replies, limits, budgets, faults and states.',
  })
