/** Calls of /v1/responses as data, for the scenario of the contract: answers, streams, refusals and faults. */
import { type CallOverrides, type ContractCall, contractCall } from './calls.ts'

const respond = (name: string, input: unknown, more: object = {}, overrides: CallOverrides = {}): ContractCall =>
  contractCall(name, { path: '/responses', body: { model: 'echo-1', input, ...more }, ...overrides })

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'fahrenheit'] } },
  required: ['city', 'unit'],
}
const weatherTool = {
  type: 'function',
  name: 'get_weather',
  description: 'The weather now.',
  parameters,
  strict: false,
}
const reportFormat = { type: 'json_schema', name: 'report', schema: { ...parameters, additionalProperties: false } }
const agentLoop = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is it like outside?' },
  { type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
  { type: 'function_call_output', call_id: 'call_1', output: '21 degrees' },
]

/** Whole and streamed, each answered with 200. */
const answered: readonly ContractCall[] = [false, true].flatMap((stream) => {
  const kind = stream ? 'a stream of responses' : 'a response'
  return [
    respond(`${kind}: a text`, 'Hello there!', { stream }),
    respond(`${kind}: the same text again, with another id`, 'Hello there!', { stream }),
    respond(`${kind}: several scripts`, 'Grüße, 世界! 👨‍👩‍👧 مرحبا\u0000\u2028', { stream }),
    respond(`${kind}: nothing`, '', { stream }),
    respond(`${kind}: instructions and parts`, [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }], {
      stream,
      instructions: 'Be brief.',
    }),
    respond(`${kind}: a rule with a named group`, 'the weather in Oslo, please', { stream }),
    respond(`${kind}: a refusal`, 'the secret', { stream }),
    respond(`${kind}: two calls at once`, 'outside', { stream, tools: [weatherTool] }),
    respond(`${kind}: a call that has to be made`, 'Hi', { stream, tools: [weatherTool], tool_choice: 'required' }),
    respond(`${kind}: after a tool has answered`, agentLoop, { stream }),
    respond(`${kind}: by a schema`, 'Hello there!', { stream, text: { format: reportFormat } }),
    respond(`${kind}: cut by max_output_tokens`, 'word '.repeat(30), { stream, max_output_tokens: 16 }),
    respond(`${kind}: logprobs`, 'Hello there! 🎉', {
      stream,
      include: ['message.output_text.logprobs'],
      top_logprobs: 2,
    }),
    respond(`${kind}: a reasoning model`, 'Hello there!', {
      stream,
      model: 'think-1',
      store: false,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low', summary: 'auto' },
    }),
    respond(`${kind}: metadata, and a tier`, 'Hi', { stream, metadata: { run: '7' }, service_tier: 'flex' }),
  ]
})

const refused: readonly ContractCall[] = [
  respond('a response without a key', 'hi', {}, { key: '' }),
  respond('a response of an unknown model', 'hi', { model: 'gpt-0' }),
  respond('a response without an input', undefined),
  respond('a response to an output without a call', [agentLoop[3]]),
  respond('a response after one that is not stored', 'hi', { previous_response_id: 'resp_0' }),
  respond('a response in the background', 'hi', { background: true }),
  respond('a response with a hosted tool', 'hi', { tools: [{ type: 'web_search' }] }),
  respond('a response with a name of chat', undefined, { messages: [] }),
  contractCall('a response that is not stored', { method: 'GET', path: '/responses/resp_0' }),
  contractCall('the input of a response that is not stored', { method: 'GET', path: '/responses/resp_0/input_items' }),
  contractCall('a response that is not there to delete', { method: 'DELETE', path: '/responses/resp_0' }),
  respond('the tokens of an input', 'Hello there!', {}, { path: '/responses/input_tokens' }),
  respond('a response that is compacted', 'hi', {}, { path: '/responses/compact' }),
]

/** Answers that a fault bends and does not break. */
const bent: readonly ContractCall[] = [
  'rate-limit; retry-after=2',
  'server-error',
  'delay; by=1ms',
  'slow-drip; size=50; interval=0',
  'stream-error',
  'malformed-event',
  'duplicated-event',
  'comments',
  'crlf',
  'split-events; size=7',
].map((fault) =>
  respond(`a stream of responses with the fault ${fault}`, 'Hello thére!', { stream: true }, header(fault)),
)

/** Every call of /v1/responses that is answered to its end. */
export const responseCalls: readonly ContractCall[] = [...answered, ...refused, ...bent]

/** Answers that break off. */
export const brokenResponseCalls: readonly ContractCall[] = [
  respond('a stream of responses that is cut', 'Hello there!', { stream: true }, header('cut; after=2')),
  respond('a whole response that is cut', 'Hello there!', {}, header('cut')),
]

function header(fault: string): CallOverrides {
  return { headers: { 'x-mock-fault': fault } }
}
