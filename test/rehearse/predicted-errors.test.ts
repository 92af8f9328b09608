/** The errors that a rehearsal predicts, against the contract and recorded traffic of the real service. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Call } from '../../src/core/decide/call/call.ts'
import { engineOf, MODEL_TABLE } from '../../src/engine/index.ts'
import { createMock } from '../../src/index.ts'
import { compareModels } from '../../src/rehearse/compare-models.ts'
import { rehearsedScenarios } from '../../src/rehearse/rehearsed-scenarios.ts'
import { hasRecordings, readRecordings } from '../support/recorded.ts'
import { hasRecordedResponses, readRecordedResponses } from '../support/recorded-responses.ts'

const engine = engineOf(createMock('default'))

/** The refusals of a call that moves to a model, from one that takes everything. */
function refusalsOf(path: string, body: object, to: string) {
  const { today, targets } = rehearsedScenarios({ models: { '*': {} } }, { to: [to] }, { name: 'test', seed: '1' })
  const [target] = targets
  const call: Call = {
    method: 'POST',
    path,
    headers: { authorization: 'Bearer sk-test' },
    body: JSON.stringify({ ...body, model: 'takes-everything' }),
    bodyLimit: 10_000_000,
    now: 0,
    transport: 'fetch',
  }
  const scenarios = { today: today.compared, target: target!.compared, model: to }
  return compareModels(call, engine, scenarios).refusals
}

const messages = [{ role: 'user', content: 'Hello' }]
const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }

/** The message as the contract has it: the names and numbers of its example in place of those of the call. */
const PREDICTED: readonly (readonly [
  to: string,
  body: object,
  message: string,
  param: string | null,
  code: string | null,
])[] = [
  [
    'o3',
    { max_tokens: 5 },
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'max_tokens',
    'unsupported_parameter',
  ],
  [
    'gpt-5-mini',
    { temperature: 0.5 },
    "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.",
    'temperature',
    'unsupported_value',
  ],
  [
    'gpt-5.6-sol',
    { stop: 'x' },
    "Unsupported parameter: 'stop' is not supported with this model.",
    'stop',
    'unsupported_parameter',
  ],
  [
    'gpt-5.2',
    { n: 64 },
    "Invalid 'n': integer above maximum value. Expected a value <= 8, but got 64 instead.",
    'n',
    'integer_above_max_value',
  ],
  [
    'gpt-5.6-luna',
    { tools: [tool] },
    "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    'reasoning_effort',
    null,
  ],
  ['gpt-4o', { reasoning_effort: 'low' }, 'Unrecognized request argument supplied: reasoning_effort', null, null],
  ['gpt-5.1-codex', {}, 'This model is only supported in v1/responses and not in v1/chat/completions.', 'model', null],
  [
    'o3-pro',
    {},
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
    'model',
    null,
  ],
  [
    'gpt-3.5-turbo-0613',
    {},
    'The model `gpt-3.5-turbo-0613` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations',
    null,
    'model_not_found',
  ],
  ['gpt-5', { logprobs: true }, 'You are not allowed to request logprobs from this model', null, null],
  [
    'o3',
    { tools: [tool], parallel_tool_calls: false },
    "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
    'parallel_tool_calls',
    'unsupported_parameter',
  ],
  [
    'gpt-5.6-sol',
    { reasoning_effort: 'none', logprobs: true, top_logprobs: 9 },
    "Invalid value for 'top_logprobs': must be less than or equal to 5.",
    'top_logprobs',
    null,
  ],
  ['gpt-5.6-sol', { modalities: ['text'] }, "Unknown parameter: 'modalities'.", 'modalities', 'unknown_parameter'],
  [
    'gpt-5.2',
    { web_search_options: {} },
    'Web search options not supported with this model.',
    'web_search_options',
    null,
  ],
  [
    'gpt-4',
    { messages: [image] },
    'Invalid content type. image_url is only supported by certain models.',
    'messages[0].content[0].type',
    'invalid_value',
  ],
  [
    'gpt-5-search-api',
    { tools: [tool] },
    'tools is not supported in this model. For a list of supported models, refer to https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
    null,
    null,
  ],
]

test.each(PREDICTED)('a move to %s with %j is refused with: %s', (to, body, message, param, code) => {
  expect(refusalsOf('/v1/chat/completions', { messages, ...body }, to)[0]).toMatchObject({ message, param, code })
})

const CONTRACT = resolve(import.meta.dirname, '../../../shared/contract.md')

test.skipIf(!existsSync(CONTRACT))('every predicted message is in the contract', () => {
  const text = readFileSync(CONTRACT, 'utf8')
  const missing = PREDICTED.map(([, , message]) => message).filter((message) => !text.includes(message))
  expect(missing).toEqual([])
})

/** The models with rules. */
const isKnown = (model: unknown): boolean => typeof model === 'string' && Object.hasOwn(MODEL_TABLE, model)

describe.skipIf(!hasRecordings)('recorded chats', () => {
  const chats = readRecordings().filter(
    ({ path, request }) => path === '/v1/chat/completions' && isKnown(request.model),
  )
  const answered = chats.filter(({ status }) => status === 200)

  test.each(answered.map(({ request }) => [request.model as string, request]))(
    'a chat that %s has answered moves to it without a refusal',
    (model, request) => {
      expect(refusalsOf('/v1/chat/completions', request, model)).toEqual([])
    },
  )
})

describe.skipIf(!hasRecordedResponses)('recorded responses', () => {
  const all = readRecordedResponses().filter(({ path, request }) => path === '/v1/responses' && isKnown(request?.model))

  test.each(all.map((one) => [one.status, one.request.model as string, one] as const))(
    '%i from %s',
    (status, model, { request, body }) => {
      const refusals = refusalsOf('/v1/responses', request, model)
      if (status === 200) expect(refusals).toEqual([])
      else if (refusals.length > 0) expect(refusals[0]!.message).toBe(body.error.message)
    },
  )
})
