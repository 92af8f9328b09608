/** The fields of a model: its limits and latency, and what it supports, as docs/models.md lists it for the models of OpenAI. */
import * as z from 'zod'
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { checkedBy, count, either, flag, list, mapOf, nonEmpty, ONE_LINE, oneOf, text } from './fields.ts'
import { checkPrices, limits, prices } from './limit-fields.ts'
import { pace } from './pace-fields.ts'

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

const modelSupport = mapOf(
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
    mapOf(
      {
        base: count(0).describe('tokens of an image of low detail, and of every image besides its tiles'),
        tile: count(0).describe('tokens for each 512 x 512 pixels of the shrunk image'),
      },
      '{ base, tile }',
      ['base', 'tile'],
    ),
    mapOf(
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

const inResponses = mapOf(
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
const published = mapOf(
  {
    rules: nonEmpty('a text').describe('the source and the date of the rules of this model'),
    retires: date.describe('the day of its shutdown, as announced'),
    replacement: nonEmpty('the name of a model').describe('the model that the service recommends in its place'),
    prices: date.describe('the day on which its prices were read'),
  },
  'facts with dates, such as { retires: 2027-01-14 }',
)

export const CACHE =
  'which prefixes of prompts from 1,024 tokens on are cached: prefixes (in steps of 128 tokens, as for models up to GPT-5.5), breakpoints (up to the last message of the user or a tool, as for models from GPT-5.6 on) or none'
export const cache = oneOf(['none', 'prefixes', 'breakpoints'])

export const modelSettings = mapOf(
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
    uncertain: list(nonEmpty('the name of a setting'), 'a list of settings').describe(
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
).superRefine(...checkedBy([checkPrices]))
