/** Two apps that were written for gpt-4o, and what a rehearsal says about moving them: each planted incompatibility, and nothing else. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, Output, streamText } from 'ai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Mock, ScenarioInput } from '../../src/index.ts'
import { RehearsalError, rehearse } from '../../src/rehearse.ts'

const SCENARIO: ScenarioInput = {
  replies: [
    { when: { user: /weather/, tool: 'get_weather' }, call: { name: 'get_weather', arguments: { city: 'Oslo' } } },
    { when: { toolResult: /rain/ }, say: 'Take an umbrella.' },
  ],
}

const clientOf = (mock: Mock): OpenAI =>
  new OpenAI({ apiKey: mock.scenario.exampleKey, baseURL: mock.baseURL, maxRetries: 0 })
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
} as const

/** Asks with a tool, gives its result back, and classifies the answer by logprobs. */
async function weatherInChat(mock: Mock): Promise<void> {
  const client = clientOf(mock)
  const tools = [{ type: 'function' as const, function: { name: 'get_weather', parameters, strict: true } }]
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is the weather in Oslo?' }]
  const first = await client.chat.completions.create({
    model: 'gpt-4o',
    messages,
    tools,
    temperature: 0,
    max_tokens: 300,
  })
  const { message } = first.choices[0]!
  const [call] = message.tool_calls!
  messages.push(message, { role: 'tool', tool_call_id: call!.id, content: 'rain' })
  await client.chat.completions.create({ model: 'gpt-4o', messages, tools, temperature: 0, max_tokens: 300 })
  await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Is this about rain? yes or no' }],
    logprobs: true,
    top_logprobs: 2,
    max_completion_tokens: 600,
    logit_bias: { '9642': 5 },
  })
}

async function weatherInResponses(mock: Mock): Promise<void> {
  const client = clientOf(mock)
  const tools = [{ type: 'function' as const, name: 'get_weather', parameters, strict: true }]
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'What is the weather in Oslo?' }]
  const first = await client.responses.create({ model: 'gpt-4o', input, tools, temperature: 0 })
  const call = first.output.find(({ type }) => type === 'function_call') as OpenAI.Responses.ResponseFunctionToolCall
  input.push(call, { type: 'function_call_output', call_id: call.call_id, output: 'rain' })
  await client.responses.create({ model: 'gpt-4o', input, tools, temperature: 0 })
  await client.responses.create({
    model: 'gpt-4o',
    input: 'Is this about rain? yes or no',
    include: ['message.output_text.logprobs'],
    max_output_tokens: 600,
  })
}

/** Extracts an invoice as an object, and streams a letter. */
async function invoice(mock: Mock, api: 'chat' | 'responses'): Promise<void> {
  const openai = createOpenAI({ apiKey: mock.scenario.exampleKey, baseURL: mock.baseURL })
  const model = openai[api]('gpt-4o')
  const output = Output.object({ schema: z.object({ number: z.string(), total: z.number() }) })
  await generateText({ model, output, prompt: 'Invoice 7 for 12 dollars', temperature: 0.2, maxRetries: 0 })
  const chatOnly = api === 'chat' ? { stopSequences: ['END'], frequencyPenalty: 0.5 } : {}
  const letter = streamText({
    model,
    prompt: 'Write a letter about it',
    topP: 0.9,
    maxOutputTokens: 800,
    maxRetries: 0,
    onError: ({ error }) => {
      throw error
    },
    ...chatOnly,
  })
  await letter.text
}

/** The mend of each refusal, with the calls that get it. */
async function mendsOf(app: (mock: Mock) => Promise<void>, to: string): Promise<Record<string, number[]>> {
  const report = await rehearse(SCENARIO, { to }, app).catch((error: unknown) => {
    if (error instanceof RehearsalError) return error.report
    throw error
  })
  const { refusals } = report.targets[0]!
  return Object.fromEntries(refusals.map(({ mend, calls }) => [mend, calls.map(({ number }) => number)]))
}

const atNone = (name: string, effort = 'reasoning_effort'): string => `leave out ${name}, or set ${effort} to 'none'`
const included = "'message.output_text.logprobs' of include"
const rename = 'send max_completion_tokens instead of max_tokens'

test.each([
  ['gpt-5.2', { [rename]: [1, 2], 'leave out logit_bias': [3] }],
  [
    'gpt-5.6-sol',
    {
      [rename]: [1, 2],
      'leave out temperature': [1, 2],
      "function tools of this model: call /v1/responses, or set reasoning_effort to 'none'": [1, 2],
      'leave out logit_bias': [3],
      [atNone('logprobs and top_logprobs')]: [3],
    },
  ],
  [
    'gpt-6-astra',
    {
      [rename]: [1, 2],
      'leave out temperature': [1, 2],
      'function tools of this model: call /v1/responses': [1, 2],
      'leave out logit_bias': [3],
      'leave out logprobs and top_logprobs': [3],
    },
  ],
])('the tools of a chat, moved to %s', async (to, mends) => {
  expect(await mendsOf(weatherInChat, to)).toEqual(mends)
})

test.each([
  ['gpt-5.2', {}],
  ['gpt-5.6-sol', { [atNone('temperature', 'reasoning.effort')]: [1, 2], [atNone(included, 'reasoning.effort')]: [3] }],
  ['gpt-6-astra', { 'leave out temperature': [1, 2], [`leave out ${included}`]: [3] }],
])('the tools of responses, moved to %s', async (to, mends) => {
  expect(await mendsOf(weatherInResponses, to)).toEqual(mends)
})

test.each([
  ['gpt-5.2', { [rename]: [2], 'leave out stop': [2] }],
  [
    'gpt-5.6-sol',
    {
      'leave out temperature': [1],
      [rename]: [2],
      'leave out stop': [2],
      [atNone('frequency_penalty')]: [2],
      'leave out top_p': [2],
    },
  ],
  [
    'gpt-6-astra',
    {
      'leave out temperature': [1],
      [rename]: [2],
      'leave out stop': [2],
      'leave out frequency_penalty': [2],
      'leave out top_p': [2],
    },
  ],
])('structured output and a stream of chats, moved to %s', async (to, mends) => {
  expect(await mendsOf((mock) => invoice(mock, 'chat'), to)).toEqual(mends)
})

test.each([
  ['gpt-5.2', {}],
  ['gpt-5.6-sol', { [atNone('temperature', 'reasoning.effort')]: [1], [atNone('top_p', 'reasoning.effort')]: [2] }],
  ['gpt-6-astra', { 'leave out temperature': [1], 'leave out top_p': [2] }],
])('structured output and a stream of responses, moved to %s', async (to, mends) => {
  expect(await mendsOf((mock) => invoice(mock, 'responses'), to)).toEqual(mends)
})
