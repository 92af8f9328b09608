/**
 * The scenario grammar: one zod schema, the source of the types, of the checks and of scenario.schema.json.
 *
 * The message of every schema is only what is expected, because check-source.ts writes "expected X, got Y" around it. For
 * an unknown key it is the list of known keys. A check beyond the shape is a function of any value beside the fields that
 * it checks. Durations, rates and patterns stay text here; compile/ turns them into numbers and functions.
 */

import * as z from 'zod'
import type { ScenarioInput } from '../../../generated/scenario-input.ts'
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
  flag,
  list,
  ONE_LINE,
  oneOf,
  only,
  optional,
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
    limits: optional(limits, "limits of this key; each kind replaces the scenario's limit of that kind"),
    budget: optional(budget, "budget of this key; each unit replaces the scenario's budget in that unit"),
    fault: optional(faultName, `applies to every call with this key: ${FAULT}`),
    session: optional(
      text(SESSION_NAME, SESSION_NAMES),
      `the session of the calls with this key: ${SESSION_NAMES}. Default: the one that a call names, or with scenario the name of its file`,
    ),
    scenario: optional(
      z.union([plain(SCENARIO), z.custom<ScenarioInput>(isObject).meta({ inCode: 'ScenarioInput' })], {
        error: SCENARIO,
      }),
      `the scenario of this session, in place of this one: ${SCENARIO}, or in code a scenario`,
    ),
    ...scheduledOptionFields,
  },
  'the settings of a key, or {} for none',
)
  .superRefine(...report(checkScheduledFault))
  .superRefine(...report(checkLoneOptions))

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
] as const
/** Chat parameters that some models do not even know. */
const UNKNOWABLE = [
  'modalities',
  'audio',
  'web_search_options',
  'logprobs',
  'top_logprobs',
  'reasoning_effort',
] as const
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const PARAMETERS = 'a list of parameters'

const modelSupport = only(
  {
    without: optional(
      list(oneOf(REFUSABLE), PARAMETERS),
      'parameters that it refuses, unless they have the value that changes nothing, such as presence_penalty: 0',
    ),
    onlyDefault: optional(
      list(oneOf(['temperature', 'top_p']), PARAMETERS),
      'parameters of which it accepts only the default, 1',
    ),
    never: optional(list(oneOf(REFUSABLE), PARAMETERS), 'parameters that it refuses whatever their value'),
    atEffortNone: optional(
      list(oneOf(REFUSABLE), PARAMETERS),
      'parameters of `without` and `onlyDefault` that it accepts with the effort none',
    ),
    forbidden: optional(list(oneOf(['logprobs']), PARAMETERS), 'parameters that are a 403'),
    unknown: optional(
      list(oneOf(UNKNOWABLE), PARAMETERS),
      'parameters that are unknown to it: a 400 in strict validation',
    ),
    efforts: optional(
      list(oneOf(EFFORTS), 'a list of efforts'),
      'values of reasoning_effort that it accepts; [] for a model without reasoning. Default: all',
    ),
    responsesEfforts: optional(
      list(oneOf(EFFORTS), 'a list of efforts'),
      'values of reasoning.effort that it accepts in the Responses API. Default: efforts',
    ),
    verbosity: optional(
      list(oneOf(['low', 'medium', 'high']), 'a list of values'),
      'values of verbosity that it accepts. Default: all',
    ),
    topLogprobs: optional(count(0, 20), 'the largest top_logprobs. Default: 20'),
    choices: optional(count(), 'the largest n. Default: 128'),
    functionTools: optional(
      oneOf(['with effort none', 'without effort', 'in responses only']),
      'when it accepts function tools: only with reasoning_effort none, or also without reasoning_effort, or only in the Responses API. Default: always',
    ),
    tools: optional(flag, 'false: any tool is a 404, as for search models. Default: true'),
    jsonSchema: optional(flag, 'true if it accepts json_schema. Default: true'),
    images: optional(flag, 'false: an image is a 400. Default: true'),
    audio: optional(
      oneOf(['never', 'required']),
      'never: it neither hears nor answers with audio. required: the request must have audio or ask for it. Default: it answers with audio when asked',
    ),
    webSearch: optional(flag, 'false: web_search_options is a 400. Default: true'),
  },
  'what a model supports, such as { efforts: [low, high] }',
)

const factor = (allowed: string) => z.number({ error: allowed }).positive({ error: allowed })
const FACTOR = 'a number above 0'
const imageTokens = z.union(
  [
    only(
      {
        base: count(0).meta({ description: 'tokens of an image of low detail, and of every image besides its tiles' }),
        tile: count(0).meta({ description: 'tokens for each 512 x 512 pixels of the shrunk image' }),
      },
      '{ base, tile }',
    ),
    only(
      {
        patches: factor(FACTOR).meta({ description: 'tokens for each 32 x 32 pixels' }),
        plus: optional(count(0), 'tokens besides them. Default: 0'),
        most: optional(count(), 'the most patches; a larger image is shrunk. Default: none'),
      },
      '{ patches, plus, most }',
    ),
  ],
  { error: '{ base: 85, tile: 170 } or { patches: 1.2 }' },
)

const inResponses = only(
  {
    topP: optional(z.number({ error: 'a number' }), 'top_p of a request without one. Default: 1'),
    retention: optional(
      oneOf(['in_memory', '24h']),
      'prompt_cache_retention of a request without one. Default: in_memory',
    ),
    context: optional(
      oneOf(['current_turn', 'all_turns']),
      'reasoning.context of a request to a reasoning model without one. Default: current_turn',
    ),
    phase: optional(flag, 'true if a message in `output` has a phase'),
  },
  'defaults of responses, such as { topP: 0.98, phase: true }',
)

const DATE = 'a date such as 2027-01-14'
const date = text(/^\d{4}-\d\d-\d\d$/, DATE)
const published = only(
  {
    rules: optional(plain('a text'), 'the source and the date of the rules of this model'),
    retires: optional(date, 'the day of its shutdown, as announced'),
    replacement: optional(plain('the name of a model'), 'the model that the service recommends in its place'),
    prices: optional(date, 'the day on which its prices were read'),
  },
  'facts with dates, such as { retires: 2027-01-14 }',
)

const CACHE =
  'which prefixes of prompts from 1,024 tokens on are cached: prefixes (in steps of 128 tokens, as for models up to GPT-5.5), breakpoints (up to the last message of the user or a tool, as for models from GPT-5.6 on) or none'
const cache = oneOf(['none', 'prefixes', 'breakpoints'])

export const modelSettings = only(
  {
    endpoint: optional(
      oneOf(MODEL_ENDPOINTS),
      'the only endpoint of this model; one of chat has responses too. Default: all',
    ),
    snapshot: optional(text(ONE_LINE, 'a name on one line'), 'the dated model name in answers'),
    contextTokens: optional(
      count(),
      'context length in tokens; longer messages, or messages and max_tokens, are a 400',
    ),
    inputTokens: optional(count(), 'the longest input in tokens; a longer one is a 400'),
    maxOutputTokens: optional(count(), 'maximum output in tokens; a larger max_tokens is a 400'),
    reasoning: optional(flag, 'true for a reasoning model, which refuses max_tokens'),
    effort: optional(oneOf(EFFORTS), 'reasoning_effort of a request without one. Default: medium'),
    fingerprint: optional(
      flag,
      'true if system_fingerprint is a text, false if it is null. Default: false for reasoning models and for those before GPT-4o',
    ),
    logprobsKey: optional(
      flag,
      'false: a choice has no key logprobs; true: it is null unless asked for. Default: false for reasoning models',
    ),
    images: optional(imageTokens, 'the tokens of an image. Default: { base: 85, tile: 170 }'),
    supports: optional(
      modelSupport,
      'the parts of a chat request that it supports; the rest is a 400. Default: everything',
    ),
    responses: optional(inResponses, 'defaults that the responses of this model echo'),
    unavailable: optional(
      oneOf(['deprecated', 'responses-only', 'not-chat', 'other-endpoints']),
      'the reason why chat requests to it are a 404: the service removed it, has it in the Responses API only (responses-only and not-chat, two messages), or at other endpoints only',
    ),
    uncertain: optional(
      list(plain('the name of a setting'), 'a list of settings'),
      'settings of which nobody has published enough; they have the simplest reading',
    ),
    published: optional(published, 'facts about the model with their dates and sources; they change no answer'),
    cache: optional(cache, `${CACHE}. Default: the scenario's cache`),
    dimensions: optional(count(1, 8192), 'length of its vectors. Default: 1536'),
    fixedDimensions: optional(flag, 'true if it refuses the parameter dimensions'),
    limits: optional(limits, "limits of this model, per key; each kind replaces the scenario's limit of that kind"),
    prices: optional(prices, 'the prices of its tokens, in US dollars for a million; a budget in usd needs it'),
    pace: optional(pace, "the latency of its answers; fields left out are those of the scenario's pace"),
  },
  'the settings of a model, or {} for none',
).superRefine(...report(checkPrices))

const IGNORED = 'a path such as metadata.trace_id or messages[*].name, or a pattern such as /\\d{4}-\\d\\d/'
export const ignored = z
  .string({ error: IGNORED })
  .refine((value) => patternParts(value) !== undefined || IGNORED_PATH.test(value), { error: IGNORED })
  .superRefine(...report(checkPattern))

const SEED = 'a whole number or a text'

/** The whole file. */
export const scenarioSchema = only(
  {
    $schema: optional(z.string({ error: 'text' }), 'the address of the JSON Schema, for editors'),
    description: optional(plain('a sentence'), 'A sentence about what this scenario shows.'),
    seed: optional(
      z.union([z.int(), z.string()], { error: SEED }),
      `the seed of all random choices: ${SEED}. Default: 1`,
    ),
    validation: optional(
      oneOf(['strict', 'lenient']),
      'strict: unknown parameters are a 400, as in the real service. lenient (default): they are accepted and noted',
    ),
    keys: optional(
      byName(keySettings, 'keys with their settings, such as { sk-test: {} }'),
      'accepted keys; * matches any characters. Default: any key (a key is required)',
    ),
    models: optional(
      byName(modelSettings, 'models with their settings, such as { echo-1: {} }', true),
      'known models; * matches any characters. Default: any model name',
    ),
    replies: optional(
      list(reply, 'a list of rules'),
      'reply rules; the first match answers. Without a match, see unmatched',
    ),
    ignore: optional(
      list(ignored, 'a list of paths and patterns'),
      `parts of a request that may differ from the recorded one (when.request): ${IGNORED}`,
    ),
    unmatched: optional(
      oneOf(['echo', 'refuse']),
      'the answer to a chat that no rule matches. echo (default): it gets its last user message back. refuse: it gets a 404 that names the nearest rule',
    ),
    limits: scenarioLimits.optional(),
    budget: optional(
      budget,
      'the total that each key may use; it does not refill, and a call after its end is a 429 insufficient_quota',
    ),
    cache: optional(cache, `the prompt cache of each key: ${CACHE}. Default: none`),
    pace: optional(pace, 'the latency of answers'),
    faults: optional(faultRules, 'faults that apply without being asked for; the first rule that matches decides'),
    states,
    expect: optional(expectations, 'the expectations of a run; api-mock run fails when one is not met'),
  },
  'a map, such as `description: My first scenario`',
)
  .superRefine(...report(checkStates))
  .superRefine(...report(checkBudgets))
  .superRefine(...report(checkSharedLimits))
  .meta({
    title: 'llm-api-mock scenario',
    description: 'A scenario of llm-api-mock: keys, models, replies, limits, budgets, faults and states.',
  })
