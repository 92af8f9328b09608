/** Every error of the catalogue, provoked over HTTP and compared with the tables of the wire contract. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type ErrorName, errorKinds } from '../../src/core/protocol/errors/error-catalogue.ts'
import type { MockOptions, ScenarioChoice } from '../../src/index.ts'
import { EMBEDDINGS_PATH, errorIn, fetchFrom, HELLO, type HttpAnswer, type HttpCall, serve } from '../support/http.ts'

interface Row {
  readonly scenario?: ScenarioChoice
  readonly options?: MockOptions
  /** The last call is the one that is refused, unless `next` makes another. */
  readonly calls: readonly HttpCall[]
  /** The refused call, which depends on the answer before it. */
  readonly next?: (before: HttpAnswer['json']) => HttpCall
  /** A call that is under way while the others are made. */
  readonly held?: HttpCall
  /** The case of the contract: by its name in section 3, or after `embeddings: ` by its name in section 6. */
  readonly contract?: string
  /** Where the contract's case has another example: the message, word for word. */
  readonly message?: string
  /** Why the contract has no such case. */
  readonly own?: string
  /** What decided, where it is not the check of this name but a fault. */
  readonly reason?: string
}

const REFRESH = 'section 11 has it, and contract-refresh.test.ts'
const scenario = (more: object): ScenarioChoice => ({ description: 'A test.', ...more })
const chat = (more: object): HttpCall => ({ body: { ...HELLO, ...more } })
const embeddings = (more: object): HttpCall => ({
  path: EMBEDDINGS_PATH,
  body: { model: 'hash-1', input: 'hi', ...more },
})
const responses = (more: object): HttpCall => ({
  path: '/v1/responses',
  body: { model: 'echo-1', input: 'hi', ...more },
})
const RESPONSES = 'contract-responses.md has it, and responses-refusals.test.ts compares it'
const MESSAGE = { id: 'msg_1', role: 'assistant', content: 'hi' }
const CALL = { type: 'function_call', call_id: 'call_x', name: 'f', arguments: '{}' }
const REASONING = { type: 'reasoning', id: 'rs_1', summary: [] }
const FUNCTION = { type: 'function', name: 'f', parameters: {} }
const file = (more: object): object => ({ role: 'user', content: [{ type: 'input_file', ...more }] })
const fault = (name: string): HttpCall => ({ headers: { 'x-mock-fault': name } })
const responsesFault = (name: string): HttpCall => ({ ...fault(name), ...responses({}) })
const messages = (...all: object[]): HttpCall => chat({ messages: all })

const USER = { role: 'user', content: 'hi' }
const CALLS = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_x', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const image = (url: string): object => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] })
const named = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'v']))
/** A message that makes a prompt of so many tokens: 3 + 3 + 1 for the role + the words. */
const prompt = (tokens: number): HttpCall => messages({ role: 'user', content: `hello${' hello'.repeat(tokens - 8)}` })
const asked = (max_completion_tokens: number): HttpCall => chat({ model: 'M', messages: [USER], max_completion_tokens })

const ROWS: Readonly<Record<ErrorName, Row>> = {
  'unknown-url': { contract: 'unknown URL', calls: [{ path: '/v1/foo', body: HELLO }] },
  'not-simulated': {
    own: 'the real service has these paths',
    calls: [{ path: '/v1/files', body: {} }],
  },
  'wrong-method': { contract: 'wrong method', calls: [{ path: EMBEDDINGS_PATH, method: 'GET' }] },
  'invalid-session': {
    own: 'the real service has no sessions',
    calls: [{ headers: { 'x-mock-session': 'a b' } }],
  },
  'body-too-large': {
    own: 'the contract is silent on large bodies; 413 is the status of HTTP for them',
    options: { bodyLimit: 100 },
    calls: [chat({ user: 'x'.repeat(100) })],
  },
  'too-many-values': {
    own: 'the contract is silent on bodies of many values',
    calls: [chat({ user: Array(500_000).fill(1) })],
  },
  'not-recorded': {
    own: 'the contract knows no recordings',
    scenario: scenario({ replies: [{ when: { request: { model: 'other' } }, answer: { body: '{}' } }] }),
    calls: [{}],
  },
  'missing-key': { contract: 'no key', calls: [{ key: '' }] },
  'invalid-key': {
    contract: 'wrong key',
    scenario: scenario({ keys: { 'sk-known': {} } }),
    // The contract's example has four stars, one for each letter between.
    calls: [{ key: 'sk-XG6GWabcdwlmi' }],
  },
  'forbidden-region': { contract: 'region', calls: [fault('403')], reason: 'fault: forbidden-region (header)' },
  'invalid-json': { contract: 'bad JSON', calls: [{ body: '{"model": ' }] },
  'unsupported-content-type': {
    own: 'the contract is silent on content types',
    calls: [{ headers: { 'content-type': 'text/plain' } }],
  },
  'model-missing': { contract: 'model missing, null or ""', calls: [chat({ model: '' })] },
  'missing-parameter': { contract: 'messages missing', calls: [chat({ messages: undefined })] },
  'unknown-parameter': {
    contract: 'unknown key',
    scenario: scenario({ validation: 'strict' }),
    calls: [chat({ stor: true })],
  },
  'invalid-type': { contract: 'wrong type', calls: [chat({ messages: 'hi' })] },
  'invalid-value': { contract: 'wrong enum', calls: [messages({ role: 'bogus', content: 'hi' })] },
  'missing-content': { contract: 'content absent or null', calls: [messages({ role: 'user', content: null })] },
  'decimal-above-max': { contract: 'decimal range', calls: [chat({ temperature: 3 })] },
  'decimal-below-min': {
    contract: 'decimal range',
    message: "Invalid 'temperature': decimal below minimum value. Expected a value >= 0, but got -1 instead.",
    calls: [chat({ temperature: -1 })],
  },
  'integer-above-max': {
    contract: 'integer range',
    message: "Invalid 'n': integer above maximum value. Expected a value <= 128, but got 129 instead.",
    calls: [chat({ n: 129 })],
  },
  'integer-below-min': { contract: 'integer range', calls: [chat({ n: 0 })] },
  'empty-array': { contract: 'messages []', calls: [messages()] },
  'array-too-long': {
    own: 'the contract bounds arrays and has no words for it; these follow those for strings',
    calls: [chat({ stop: ['1', '2', '3', '4', '5'] })],
  },
  'empty-string': {
    contract: 'empty string',
    calls: [chat({ tools: [{ type: 'function', function: { name: '' } }] })],
  },
  'string-too-long': { contract: 'string too long', calls: [chat({ metadata: { k: 'v'.repeat(600) } })] },
  'string-mismatch': {
    own: 'the contract has no row for it; the words are those quoted in public issues',
    calls: [chat({ tools: [{ type: 'function', function: { name: 'get weather' } }] })],
  },
  'unsupported-image': {
    own: REFRESH,
    scenario: scenario({ validation: 'strict' }),
    calls: [messages(image('data:image/bmp;base64,Qk0='))],
  },
  'metadata-without-store': { own: REFRESH, calls: [chat({ metadata: { run: '1' } })] },
  'logprobs-forbidden': {
    own: REFRESH,
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5-mini', logprobs: true })],
  },
  'top-logprobs-too-many': {
    own: REFRESH,
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5.6-sol', reasoning_effort: 'none', logprobs: true, top_logprobs: 6 })],
  },
  'tools-unsupported': {
    own: REFRESH,
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5-search-api', tools: [{ type: 'function', function: { name: 'f' } }] })],
  },
  'web-search-unsupported': {
    own: REFRESH,
    scenario: 'openai',
    calls: [chat({ model: 'gpt-4o-mini', web_search_options: {} })],
  },
  'audio-unsupported': {
    own: REFRESH,
    scenario: scenario({ models: { m: { supports: { audio: 'never' } } } }),
    calls: [
      chat({
        model: 'm',
        messages: [
          { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }] },
        ],
      }),
    ],
  },
  'image-unsupported': {
    own: REFRESH,
    scenario: scenario({ models: { m: { supports: { images: false } } } }),
    calls: [chat({ model: 'm', messages: [image('https://example.com/a.png')] })],
  },
  'input-tokens': {
    own: REFRESH,
    scenario: scenario({ models: { m: { inputTokens: 10 } } }),
    calls: [chat({ model: 'm', messages: [{ role: 'user', content: 'hello '.repeat(20) }] })],
  },
  'context-length-with-output': {
    own: REFRESH,
    scenario: scenario({ models: { m: { contextTokens: 20 } } }),
    calls: [chat({ model: 'm', max_tokens: 20 })],
  },
  'invalid-image': {
    contract: 'refresh: image that cannot be read',
    scenario: scenario({ validation: 'strict' }),
    calls: [messages(image('data:image/png;base64,eA=='))],
  },
  'image-download-failed': {
    contract: 'refresh: image that cannot be read',
    message: 'Error while downloading http://localhost/cat.png.',
    scenario: scenario({ validation: 'strict' }),
    calls: [messages(image('http://localhost/cat.png'))],
  },
  'invalid-response-schema': {
    own: 'the contract has no row for schemas; the words are those quoted in public issues',
    calls: [
      chat({
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'n', strict: true, schema: { type: 'object', properties: {}, required: [] } },
        },
      }),
    ],
  },
  'invalid-function-schema': {
    own: 'the contract has no row for schemas; the words are those quoted in public issues',
    calls: [chat({ tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'string' } } }] })],
  },
  'unsatisfiable-schema': {
    own: 'the real service would try until its tokens are used up',
    calls: [
      chat({
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: 'n',
            schema: {
              type: 'object',
              properties: { a: { type: 'integer', minimum: 2, maximum: 1 } },
              required: ['a'],
            },
          },
        },
      }),
    ],
  },
  'property-name-too-long': {
    contract: 'refresh: metadata key too long',
    calls: [chat({ metadata: { ['k'.repeat(70)]: 'v' } })],
  },
  'too-many-properties': { contract: 'too many properties', calls: [chat({ metadata: named(17) })] },
  'top-logprobs-alone': { contract: 'top_logprobs alone', calls: [chat({ top_logprobs: 2 })] },
  'stream-options-alone': { contract: 'stream_options without stream', calls: [chat({ stream_options: {} })] },
  'tool-choice-alone': { contract: 'tool_choice without tools', calls: [chat({ tool_choice: 'auto' })] },
  'parallel-tool-calls-alone': {
    contract: 'refresh: parallel_tool_calls without tools',
    calls: [chat({ parallel_tool_calls: false })],
  },
  'two-token-limits': {
    contract: 'refresh: max_tokens with max_completion_tokens',
    calls: [chat({ max_tokens: 5, max_completion_tokens: 5 })],
  },
  'undeclared-function': {
    contract: 'tool_choice names an undeclared function',
    calls: [
      chat({
        tools: [{ type: 'function', function: { name: 'g' } }],
        tool_choice: { type: 'function', function: { name: 'f' } },
      }),
    ],
  },
  'unanswered-tool-call': {
    contract: 'unanswered tool call',
    calls: [messages({ role: 'system', content: 'Be kind.' }, USER, CALLS, USER)],
  },
  'orphan-tool-message': {
    contract: 'orphan tool message',
    calls: [messages(USER, { role: 'tool', tool_call_id: 'call_x', content: '21' })],
  },
  'json-word-missing': {
    contract: 'json mode without the word',
    calls: [chat({ response_format: { type: 'json_object' } })],
  },
  'unknown-model': {
    contract: 'unknown model',
    scenario: scenario({ models: { 'echo-1': {} } }),
    calls: [chat({ model: 'X' })],
  },
  'completion-not-found': {
    own: 'the contract names the operations, not their errors',
    calls: [{ method: 'GET', path: '/v1/chat/completions/chatcmpl-x' }],
  },
  'not-an-embedding-model': {
    contract: 'embeddings: a chat model',
    scenario: scenario({ models: { 'echo-1': { endpoint: 'chat' } } }),
    calls: [embeddings({ model: 'echo-1' })],
  },
  'not-a-chat-model': {
    own: 'the contract has the other way round only',
    scenario: scenario({ models: { 'hash-1': { endpoint: 'embeddings' } } }),
    calls: [chat({ model: 'hash-1' })],
  },
  'max-tokens-unsupported': {
    contract: 'max_tokens on a reasoning model',
    scenario: scenario({ models: { 'echo-1': { reasoning: true } } }),
    calls: [chat({ max_tokens: 5 })],
  },
  'unsupported-parameter': {
    contract:
      'refresh: reasoning model: stop, logit_bias, prediction, presence/frequency_penalty, logprobs, (newest) top_p',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5-nano', stop: 'x' })],
  },
  'unrecognized-argument': {
    contract: 'refresh: reasoning_effort on a model without reasoning',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-4o-mini', reasoning_effort: 'low' })],
  },
  'unsupported-default': {
    contract: 'refresh: reasoning model, temperature or top_p other than 1',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5-nano', temperature: 0.5 })],
  },
  'unsupported-value': {
    contract: 'refresh: reasoning model, unsupported effort',
    message:
      "Unsupported value: 'reasoning_effort' does not support 'max' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'.",
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5-nano', reasoning_effort: 'max' })],
  },
  'audio-format-streamed': {
    own: 'the contract is silent on audio',
    calls: [chat({ stream: true, modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } })],
  },
  'audio-required': {
    own: 'the contract is silent on audio',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-audio-mini' })],
  },
  'tools-with-effort': {
    contract:
      'refresh: gpt-5.6 family with function tools, unless `reasoning_effort: none` (5.2, 5.4: when an effort is sent)',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5.6-luna', tools: [{ type: 'function', function: { name: 'f' } }] })],
  },
  'json-schema-unsupported': {
    contract: 'refresh: json_schema on a model without it (gpt-3.5-turbo, gpt-4)',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-4', response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } } })],
  },
  'responses-only': {
    contract: 'refresh: a model served by the Responses API only (codex-mini-latest, gpt-5.1-codex, ...-pro)',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-5.1-codex' })],
  },
  'deprecated-model': {
    contract: 'refresh: deprecated model',
    scenario: 'openai',
    calls: [chat({ model: 'gpt-3.5-turbo-0613' })],
  },
  'max-tokens-too-large': {
    contract: 'max_tokens too big',
    scenario: scenario({ models: { 'echo-1': { maxOutputTokens: 16_384 } } }),
    calls: [chat({ max_tokens: 32_000 })],
  },
  'context-length': {
    contract: 'context length',
    scenario: scenario({ models: { 'echo-1': { contextTokens: 8192 } } }),
    calls: [prompt(9000)],
  },
  'context-window': {
    own: 'section 4 of the contract of responses, which the test reads no table of',
    scenario: scenario({ models: { 'echo-1': { contextTokens: 8192 } } }),
    calls: [{ path: '/v1/responses', body: { model: 'echo-1', input: ' hello'.repeat(9000) } }],
  },
  'output-limit-reached': {
    own: 'section 11.6 of the contract, which the test reads no table of',
    scenario: scenario({ models: { 'echo-1': { reasoning: true } } }),
    calls: [chat({ max_completion_tokens: 1 })],
  },
  'requested-model-unknown': { own: RESPONSES, scenario: 'openai', calls: [responses({ model: 'gpt-9' })] },
  'moved-parameter': { own: RESPONSES, calls: [responses({ max_tokens: 5 })] },
  'not-mocked': { own: RESPONSES, calls: [responses({ background: true })] },
  'input-missing': { own: RESPONSES, calls: [responses({ input: [] })] },
  'id-characters': { own: RESPONSES, calls: [responses({ previous_response_id: 'a.b' })] },
  'id-prefix': { own: RESPONSES, calls: [responses({ previous_response_id: 'x' })] },
  'response-not-found': { own: RESPONSES, calls: [{ method: 'GET', path: '/v1/responses/resp_1' }] },
  'previous-response-not-found': { own: RESPONSES, calls: [responses({ previous_response_id: 'resp_1' })] },
  'item-not-found': { own: RESPONSES, calls: [responses({ input: [{ type: 'item_reference', id: 'rs_1' }] })] },
  'call-without-reasoning': {
    own: RESPONSES,
    scenario: scenario({ models: { o3: { reasoning: true } }, replies: [{ call: { name: 'f', arguments: {} } }] }),
    calls: [responses({ model: 'o3', tools: [FUNCTION] })],
    next: ({ output: [, call] }) =>
      responses({
        model: 'o3',
        tools: [FUNCTION],
        input: [USER, call, { type: 'function_call_output', call_id: call.call_id, output: '' }],
      }),
  },
  'duplicate-item': { own: RESPONSES, calls: [responses({ input: [MESSAGE, MESSAGE] })] },
  'missing-tool-output': { own: RESPONSES, calls: [responses({ input: [CALL] })] },
  'missing-tool-call': {
    own: RESPONSES,
    calls: [responses({ input: [{ type: 'function_call_output', call_id: 'call_x', output: '' }] })],
  },
  'reasoning-alone': { own: RESPONSES, calls: [responses({ input: [REASONING] })] },
  'invalid-encrypted-content': {
    own: RESPONSES,
    calls: [responses({ input: [{ ...REASONING, encrypted_content: 'secret' }, MESSAGE] })],
  },
  'unsupported-file-data': {
    own: RESPONSES,
    scenario: 'openai',
    calls: [responses({ model: 'gpt-4o', input: [file({ file_data: 'data:audio/mpeg;base64,SUQz' })] })],
  },
  'unsupported-file-url': {
    own: RESPONSES,
    scenario: 'openai',
    calls: [responses({ model: 'gpt-4o', input: [file({ file_url: 'https://example.com/a.mp3' })] })],
  },
  'undeclared-tool': { own: RESPONSES, calls: [responses({ tool_choice: { type: 'function', name: 'f' } })] },
  'tool-choice-without-tools': { own: RESPONSES, calls: [responses({ tool_choice: 'required' })] },
  'json-word-missing-in-input': { own: RESPONSES, calls: [responses({ text: { format: { type: 'json_object' } } })] },
  'invalid-text-schema': {
    own: RESPONSES,
    calls: [responses({ text: { format: { type: 'json_schema', name: 'n', schema: {} } } })],
  },
  'unsupported-sampling': { own: RESPONSES, scenario: 'openai', calls: [responses({ model: 'o3', temperature: 0 })] },
  'unsupported-effort': {
    own: RESPONSES,
    scenario: 'openai',
    calls: [responses({ model: 'o4-mini', reasoning: { effort: 'minimal' } })],
  },
  'unsupported-setting': {
    own: RESPONSES,
    scenario: 'openai',
    calls: [responses({ model: 'o3-mini', reasoning: { generate_summary: 'auto' } })],
  },
  'encrypted-content-unsupported': {
    own: RESPONSES,
    scenario: 'openai',
    calls: [responses({ model: 'gpt-4o', include: ['reasoning.encrypted_content'] })],
  },
  'invalid-input': { contract: 'embeddings: empty string', calls: [embeddings({ input: '' })] },
  'too-many-inputs': {
    contract: 'embeddings: more than 2048 items',
    calls: [embeddings({ input: Array(2049).fill('a') })],
  },
  'input-too-long': {
    contract: 'embeddings: more than 8192 tokens',
    calls: [embeddings({ input: [' word'.repeat(8193)] })],
  },
  'input-over-context': {
    own: 'section 11.6 has it: recorded-limits.test.ts compares it',
    calls: [embeddings({ input: ' word'.repeat(8193) })],
  },
  'inputs-too-long': {
    contract: 'embeddings: more than 300000 tokens',
    calls: [embeddings({ input: Array(38).fill(Array(8000).fill(1)) })],
  },
  'dimensions-below-min': { contract: 'embeddings: dimensions -1', calls: [embeddings({ dimensions: -1 })] },
  'dimensions-above-max': {
    own: 'the contract is silent on more dimensions than a model has',
    calls: [embeddings({ dimensions: 5000 })],
  },
  'dimensions-unsupported': {
    contract: 'embeddings: dimensions on ada-002',
    scenario: scenario({ models: { 'text-embedding-ada-002': { fixedDimensions: true } } }),
    calls: [embeddings({ model: 'text-embedding-ada-002', dimensions: 256 })],
  },
  'requests-limit': {
    contract: 'requests a minute',
    scenario: scenario({ limits: { requests: '3 per minute' } }),
    calls: Array(4).fill(chat({ model: 'M' })),
  },
  'tokens-limit': {
    contract: 'tokens a minute',
    scenario: scenario({ limits: { charge: 'answer', tokens: '200000 per minute' } }),
    // A second of real time would refill what the last call asks for.
    options: { clock: 'manual' },
    calls: [embeddings({ model: 'M', input: Array(25).fill(Array(7990).fill(1)), dimensions: 1 }), asked(4412)],
  },
  'concurrent-limit': {
    own: 'the contract is silent on calls at once',
    scenario: scenario({ limits: { concurrent: 1 } }),
    held: { ...fault('hang'), ...chat({}) },
    calls: [chat({})],
  },
  'request-too-large': {
    contract: 'one request too large',
    scenario: scenario({ limits: { charge: 'answer', tokens: '30000 per minute' } }),
    calls: [asked(31_391)],
  },
  'quota-exceeded': { contract: 'quota', calls: [fault('quota')], reason: 'fault: quota (header)' },
  'limits-unavailable': {
    own: 'the real service has its limits at hand',
    // Nothing listens at this port.
    scenario: scenario({ limits: { shared: 'redis://127.0.0.1:1', requests: '3 per minute' } }),
    calls: [{}],
  },
  conflict: {
    own: 'the contract has no 409; the official clients know the status',
    calls: [fault('409')],
    reason: 'fault: conflict (header)',
  },
  unprocessable: {
    own: 'the contract has no 422; the official clients know the status',
    calls: [fault('422')],
    reason: 'fault: unprocessable (header)',
  },
  'server-error': { contract: 'server', calls: [fault('500')], reason: 'fault: server-error (header)' },
  overloaded: { contract: 'overload', calls: [fault('503')], reason: 'fault: overloaded (header)' },
  'organization-not-verified': {
    own: 'the service has it for accounts, as quoted in public issues',
    calls: [responsesFault('organization-not-verified')],
    reason: 'fault: organization-not-verified (header)',
  },
  'zero-data-retention': {
    own: 'the service has it for accounts, as quoted in public issues',
    calls: [responsesFault('zero-data-retention')],
    reason: 'fault: zero-data-retention (header)',
  },
  'unknown-fault': { own: 'the real service has no faults on demand', calls: [fault('nonsense')] },
  'impossible-fault': { own: 'the real service has no faults on demand', calls: [fault('missing-done')] },
  'no-match': {
    own: 'the real service has no rules',
    scenario: scenario({ replies: [{ when: { user: '/weather/' }, say: 'Sunny.' }], unmatched: 'refuse' }),
    calls: [{}],
  },
  'reply-function-failed': {
    own: 'the real service has no reply functions',
    scenario: scenario({
      replies: [
        {
          say: () => {
            throw new Error('boom')
          },
        },
      ],
    }),
    calls: [{}],
  },
  'answer-too-large': {
    own: 'the real service names no limit of its answers',
    options: { answerLimit: 100 },
    calls: [{}],
  },
  'status-on-demand': {
    own: 'the real service has no statuses on demand',
    calls: [fault('418')],
    reason: 'fault: status (header)',
  },
}

const NAMES = Object.keys(errorKinds) as ErrorName[]

/** Makes the calls of a row; the answer to the last one. */
async function provoke({ scenario = 'default', options = {}, held, calls, next }: Row): Promise<HttpAnswer> {
  const server = await serve(scenario, options)
  if (held !== undefined) {
    void fetchFrom(server, held).catch(() => {})
    await vi.waitFor(() => expect(server.mock.journal).toHaveLength(1))
  }
  let before: HttpAnswer | undefined
  for (const each of next === undefined ? calls.slice(0, -1) : calls) {
    before = await fetchFrom(server, each)
    expect(before.status).toBe(200)
  }
  const last = next === undefined ? calls.at(-1)! : next(before!.json)
  return fetchFrom(server, { ...last, headers: { ...last.headers, 'x-mock-explain': '1' } })
}

test('every error of the catalogue has a row, and no row is left over', () => {
  expect(Object.keys(ROWS).sort()).toEqual([...NAMES].sort())
})

test('every row is a case of the contract or says why it is not', () => {
  for (const { contract, own } of Object.values(ROWS)) expect([contract, own].filter(Boolean)).toHaveLength(1)
})

test.each(NAMES)('%s is what its call gets over HTTP', async (name) => {
  const row = ROWS[name]
  const answer = await provoke(row)
  errorIn(answer)
  const reason = answer.headers.get('x-mock-reason')
  if (row.reason === undefined) expect(reason).toMatch(new RegExp(`^(?:route|key|request|limit): ${name}$`))
  else expect(reason).toBe(row.reason)
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
})

// Further cases of section 10, in the scenario openai: name, field of a chat request, message, param, code

const TYPE = 'invalid_type'
const UNKNOWN = 'unknown_parameter'
const unknown = (path: string): readonly [string, string, string] => [`Unknown parameter: '${path}'.`, path, UNKNOWN]
const REFRESHED: readonly (readonly [string, object, string, string | null, string | null])[] = [
  ['unknown key at any depth', { response_format: { type: 'text', schema: {} } }, ...unknown('response_format.schema')],
  [
    'unknown key at any depth',
    {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'file', file: { data: 'x' } },
          ],
        },
      ],
    },
    ...unknown('messages[0].content[1].file.data'),
  ],
  [
    'unknown key at any depth',
    { messages: [USER, { ...CALLS, tool_calls: [{ ...CALLS.tool_calls[0], index: 0 }] }] },
    ...unknown('messages[1].tool_calls[0].index'),
  ],
  ['unknown key at any depth', { stream_options: { bogus: true } }, ...unknown('stream_options.bogus')],
  ['unknown key at any depth', { temperatur: 1, temperature: 1 }, ...unknown('temperatur')],
  [
    'reasoning model, n > 8',
    { model: 'gpt-5-nano', n: 64 },
    "Invalid 'n': integer above maximum value. Expected a value <= 8, but got 64 instead.",
    'n',
    'integer_above_max_value',
  ],
  [
    'response_format.type, wrong',
    { response_format: { type: 'bogus' } },
    "Invalid value: 'bogus'. Supported values are: 'json_object', 'json_schema', and 'text'.",
    'response_format.type',
    'invalid_value',
  ],
  [
    'service_tier, wrong',
    { service_tier: 'bogus' },
    "Invalid value: 'bogus'. Supported values are: 'auto', 'default', 'fast', 'flex', and 'priority'.",
    'service_tier',
    'invalid_value',
  ],
  [
    'tool_choice object without function',
    { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: { type: 'function' } },
    "Missing required parameter: 'tool_choice.function'.",
    'tool_choice.function',
    'missing_required_parameter',
  ],
  [
    'audio on a model without it',
    { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } },
    "Unsupported value: 'modalities' does not support 'audio' with this model. Supported values are: 'text'.",
    'modalities',
    'unsupported_value',
  ],
  [
    'audio without its format',
    { model: 'gpt-audio-mini', modalities: ['text', 'audio'] },
    "Missing required parameter: 'audio'.",
    'audio',
    'missing_required_parameter',
  ],
  [
    'metadata is no object',
    { metadata: 'x' },
    "Invalid type for 'metadata': expected a metadata object, but got a string instead.",
    'metadata',
    TYPE,
  ],
  [
    'messages: null',
    { messages: null },
    "Invalid type for 'messages': expected an array of objects, but got null instead.",
    'messages',
    TYPE,
  ],
  [
    'developer content absent / null',
    { messages: [USER, { role: 'developer' }] },
    "Missing required parameter: 'messages[1].content'.",
    'messages[1].content',
    'missing_required_parameter',
  ],
  [
    'developer content absent / null',
    { messages: [USER, { role: 'developer', content: null }] },
    "Invalid type for 'messages[1].content': expected one of a string or array of objects, but got null instead.",
    'messages[1].content',
    TYPE,
  ],
  [
    'tool_choice of a wrong type',
    { tool_choice: 5 },
    "Invalid type for 'tool_choice': expected one of one of 'none', 'auto', or 'required' or object, but got an integer instead.",
    'tool_choice',
    TYPE,
  ],
]

test.each(REFRESHED)('%s: %j', async (_, more, message, param, code) => {
  const answer = await provoke({ scenario: 'openai', calls: [chat({ model: 'gpt-4o-mini', ...more })] })
  expect(answer.status).toBe(400)
  expect(errorIn(answer)).toEqual({ message, type: 'invalid_request_error', param, code })
})

// The contract

interface Case {
  readonly name: string
  readonly status: number
  readonly type: string
  readonly message: string
  /** Undefined where the contract does not say. */
  readonly param?: string | null
  readonly codes?: readonly (string | null)[]
}

const FILE = resolve(import.meta.dirname, '../../../shared/contract.md')
const contract = existsSync(FILE) ? readFileSync(FILE, 'utf8') : undefined
const cases =
  contract === undefined ? [] : [...errorCases(contract), ...embeddingsCases(contract), ...refreshedCases(contract)]
const withoutContract = contract === undefined ? ' (skipped: the contract is not beside this checkout)' : ''
const compared = test.skipIf(contract === undefined)

compared(`every case of the contract is provoked by a row${withoutContract}`, () => {
  const rows = new Set(Object.values(ROWS).map((row) => row.contract))
  expect(cases.length).toBeGreaterThan(35)
  const elsewhere = new Set(REFRESHED.map(([name]) => `refresh: ${name}`))
  expect(cases.map(({ name }) => name).filter((name) => !rows.has(name) && !elsewhere.has(name))).toEqual([])
})

compared.each(NAMES.filter((name) => ROWS[name].contract !== undefined))(
  `%s has the status and the four fields of the contract${withoutContract}`,
  async (name) => {
    const row = ROWS[name]
    const found = cases.find((one) => one.name === row.contract)
    expect(found, `the contract has no case '${row.contract}'`).toBeDefined()
    const { status, type, message, param, codes } = found!
    const answer = await provoke(row)
    const error = errorIn(answer)
    expect(answer.status).toBe(status)
    expect(error.type).toBe(type)
    expect(normal(error.message)).toBe(normal(row.message ?? message))
    if (param !== undefined) expect(error.param).toBe(param)
    // Where the contract says "path" or "key", it is the one that the message names.
    else if (codes !== undefined) expect(error.message).toContain(`'${error.param?.replace(/\.k{70}$/, '')}'`)
    if (codes !== undefined) expect(codes).toContain(error.code)
  },
)

/** A message without what differs from run to run: ids, and what a limit has refilled in the meantime. */
function normal(message: string): string {
  return message
    .replace(/\borg-\w+/g, 'org-X')
    .replace(/\breq_(?:\w+|\.\.\.)/g, 'req_X')
    .replace(/Used \d+/g, 'Used N')
    .replace(/try again in \S+\./g, 'try again in T.')
}

/** The cells of every table row below a heading, without the head of the table. */
function tableBelow(text: string, heading: string): string[][] {
  const section = text.slice(text.indexOf(`\n## ${heading}`) + 1)
  const rows = section
    .slice(0, section.indexOf('\n## '))
    .split('\n')
    .filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
}

function codeIn(cell: string): string | undefined {
  return /(`+)(.+?)\1(?!`)/.exec(cell)?.[2]?.trim()
}

function errorCases(text: string): Case[] {
  const found: Case[] = []
  for (const [name = '', status = '', message = '', param = '', code = ''] of tableBelow(text, '3.')) {
    const quoted = codeIn(message) ?? ''
    const before = found.at(-1)?.message ?? ''
    const sameParam = param.startsWith('path') || param === 'key' ? undefined : (codeIn(param) ?? param)
    found.push({
      name: name.replace(/ \[.\]$/, ''),
      status: Number.parseInt(status, 10),
      type: /type (\w+)/.exec(status)?.[1] ?? 'invalid_request_error',
      message: message.startsWith('the same with')
        ? before.replace(/requests per min .*?\. Please .*?\./, quoted)
        : quoted,
      ...(sameParam !== undefined && { param: sameParam === 'null' ? null : sameParam }),
      codes: code.split(', ').map((one) => (one === 'null' ? null : one)),
    })
  }
  return found
}

function embeddingsCases(text: string): Case[] {
  return tableBelow(text, '6.').map(([name = '', message = '']) => ({
    name: `embeddings: ${name.replace(/ \[.\]$/, '')}`,
    status: /^\d{3} /.test(message) ? Number.parseInt(message, 10) : 400,
    type: 'invalid_request_error',
    message: codeIn(message) ?? '',
  }))
}

/** Section 10: a cell may hold several messages, of which this is the first. */
function refreshedCases(text: string): Case[] {
  return tableBelow(text, '10.').map(([name = '', message = '', param = '', code = '']) => ({
    name: `refresh: ${name.replace(/ \[[^\]]*\]$/, '')}`,
    status: /^\d{3} /.test(message) ? Number.parseInt(message, 10) : 400,
    type: 'invalid_request_error',
    message: codeIn(message) ?? '',
    ...(/^(?:path|field|metadata\.<key>)$/.test(param) ? {} : { param: param === 'null' ? null : param }),
    codes: code.split(' / ').map((one) => (one === 'null' ? null : one)),
  }))
}
