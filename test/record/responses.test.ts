/** Responses are recorded, redacted, replayed, compared and measured like chats. */
import { expect, test, vi } from 'vitest'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { findDrift } from '../../src/record/drift.ts'
import { readCassette } from '../../src/record/fit/read-timings.ts'
import { recordedCalls } from '../../src/record/recorded-calls.ts'
import { fetchFrom, GENEROUS_MS, type HttpCall, serve } from '../support/http.ts'
import { record, recordHybrid, replayed } from './recording.ts'

vi.setConfig({ testTimeout: GENEROUS_MS })

const TOOLS = [{ type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} }, strict: false }]
const ask = (input: string, more: object = {}): HttpCall => ({
  path: '/v1/responses',
  body: { model: 'echo-1', input, ...more },
})
const CALLS: Readonly<Record<string, HttpCall>> = {
  'a response': ask('Hello!'),
  'a stream': ask('Grüße 😀', { stream: true }),
  'a streamed call of a tool': ask('the weather?', { stream: true, tools: TOOLS, tool_choice: 'required' }),
  'a request that is refused': ask('Hello!', { max_output_tokens: 3 }),
  'a request for what is not simulated': ask('Hello!', { background: true }),
}

test.each(Object.entries(CALLS))('%s is recorded, and replayed byte for byte', async (_, call) => {
  const recording = await record((await serve({ description: 'x', validation: 'strict' })).url)
  const real = await fetchFrom(recording, call)
  await recording.over(1)
  expect(recording.source().replies![0]!.when).toEqual({ endpoint: 'responses', request: call.body })
  const { origin, mock } = await replayed(recording)
  const again = await fetchFrom({ origin }, call)
  expect([again.status, again.text]).toEqual([real.status, real.text])
  const told = /"usage":\{"input_tokens":(\d+).*?"output_tokens":(\d+)/.exec(real.text)
  const usage = told && { promptTokens: Number(told[1]), completionTokens: Number(told[2]) }
  if (usage !== null) expect(mock.journal[0]!.usage).toEqual(usage)
})

test('a hybrid recording answers a known response, and asks the upstream for another one', async () => {
  const upstream = await serve()
  const first = await record(upstream.url)
  await fetchFrom(first, ask('one', { stream: true }))
  await first.over(1)
  const hybrid = await recordHybrid(first.cassette.toString(), upstream.url)
  await fetchFrom(hybrid, ask('one', { stream: true }))
  await fetchFrom(hybrid, ask('two'))
  await hybrid.over(2)
  expect(hybrid.calls.map(({ isReplayed = false, ruleId }) => [isReplayed, ruleId])).toEqual([
    [true, 'replies[0]'],
    [false, 'replies[1]'],
  ])
})

test('a secret that is spread over deltas is redacted in all events', async () => {
  const upstream = await serve({
    description: 'x',
    replies: [{ say: 'Write to jo.doe@example.com or use sk-abcdefghijklmnop, please.' }],
  })
  const recording = await record(upstream.url)
  const call = ask('Hello', { stream: true })
  expect((await fetchFrom(recording, call)).text).toContain('jo.doe@example.com')
  await recording.over(1)
  const { text } = await fetchFrom(await replayed(recording), call)
  const events = text.split('\n\n').filter(Boolean)
  const deltas = events
    .map((event) => JSON.parse(event.slice(event.indexOf('{'))))
    .filter(({ type }) => type === 'response.output_text.delta')
  const redacted = 'Write to [redacted] or use [redacted], please.'
  expect(deltas.map(({ delta }) => delta).join('')).toBe(redacted)
  expect(JSON.parse(events.at(-1)!.replace(/^.*?\{/s, '{')).response.output[0].content[0].text).toBe(redacted)
  expect(text).not.toMatch(/jo\.doe|sk-abc/)
})

test.each([false, true])('a response is not recorded if its logprobs contain a secret: stream %s', async (stream) => {
  const upstream = await serve({ description: 'x', replies: [{ say: 'Mail jo.doe@example.com.' }] })
  const recording = await record(upstream.url)
  await fetchFrom(recording, ask('Hi', { include: ['message.output_text.logprobs'], stream }))
  await recording.over(1)
  expect(recording.calls[0]!.problem).toBe('its logprobs contain a secret')
})

test('drift compares a response with its recording, and guesses its endpoint from its items', async () => {
  const upstream = await serve()
  const recording = await record(upstream.url)
  await fetchFrom(recording, { ...ask(''), body: { model: 'echo-1', input: [{ role: 'user', content: 'Hi' }] } })
  await recording.over(1)
  const source = recording.source() as ScenarioSource
  const [{ when, ...rule }] = source.replies as [NonNullable<ScenarioSource['replies']>[number]]
  const calls = recordedCalls({ ...source, replies: [{ ...rule, when: { request: when!.request } }] } as ScenarioSource)
  expect(calls[0]!.endpoint).toBe('responses')
  const options = { upstream: new URL(upstream.url), key: 'sk-test' }
  const scenario = compileScenario({ description: 'x' }, { name: 'x', compilePattern })
  for (const more of [{}, { scenario }]) {
    const found: unknown[] = []
    for await (const one of findDrift(calls, { ...options, ...more })) found.push(one)
    expect(found).toMatchObject([{ endpoint: 'responses', status: 200, differences: [] }])
  }
})

test('fit reads the times of a recorded stream', () => {
  const event = (at: string, type: string, more: object = {}) => {
    const data = JSON.stringify({ type: `response.${type}`, ...more })
    return { at, text: `event: response.${type}\ndata: ${data}\n\n` }
  }
  const events = [
    event('10ms', 'created', { response: { usage: null } }),
    event('200ms', 'output_text.delta', { delta: 'a' }),
    event('300ms', 'output_text.delta', { delta: 'b' }),
    event('310ms', 'completed', { response: { usage: { input_tokens: 5, output_tokens: 3 } } }),
  ]
  const source = { description: 'x', replies: [{ answer: { events } }] } as unknown as ScenarioSource
  expect(readCassette(source)).toEqual([{ firstTokenMs: 200, perTokenMs: 50 }])
})
