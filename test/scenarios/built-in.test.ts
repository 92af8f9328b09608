/** Each built-in scenario does what its opening comment describes. */

import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { waitsOf } from '../../src/core/protocol/plan/plan.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { builtInScenarios } from '../../src/generated/built-in.ts'
import { createMock } from '../../src/index.ts'
import { loadScenario } from '../../src/node.ts'
import {
  CHAT_PATH,
  EMBEDDINGS_PATH,
  errorIn,
  fetchFrom,
  HELLO,
  type HttpCall,
  type Served,
  serve,
  TEXT,
} from '../support/http.ts'
import { stillMock, type TestMock } from '../support/transports.ts'

type Name = keyof typeof builtInScenarios

const FOLDER = resolve(import.meta.dirname, '../../scenarios')
const tested = new Set<string>()

/** A fact about a scenario, tested on a server of its own. */
function fact(scenario: Name, what: string, check: (server: Served) => Promise<void>): void {
  tested.add(scenario)
  test(`${scenario}: ${what}`, async () => check(await serve(scenario)), 30_000)
}

const say = (content: string, more: object = {}): HttpCall => ({
  body: { ...HELLO, messages: [{ role: 'user', content }], ...more },
})
const embed = (input: unknown, more: object = {}): HttpCall => ({
  path: EMBEDDINGS_PATH,
  body: { ...TEXT, input, ...more },
})
const said = async (server: Served, asked: HttpCall): Promise<string> =>
  (await fetchFrom(server, asked)).json.choices[0].message.content

async function statuses(server: Served, ...calls: readonly HttpCall[]): Promise<number[]> {
  const all: number[] = []
  for (const each of calls) all.push((await fetchFrom(server, each)).status)
  return all
}

const client = (server: Served, options: object = {}): OpenAI =>
  new OpenAI({ baseURL: server.url, apiKey: 'sk-test', ...options })
const greeting = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'Hi!' }] }

// default

fact('default', 'any key and any model work, and chats echo the last user message', async (server) => {
  for (const [key, model] of [
    ['sk-test', 'echo-1'],
    ['anything', 'gpt-4o'],
    ['x', 'my own model'],
  ] as const) {
    expect(await said(server, { ...say('Say this is a test', { model }), key })).toBe('Say this is a test')
  }
})

fact('default', 'a call without a key is a 401', async (server) => {
  expect(await statuses(server, { key: '' })).toEqual([401])
})

fact('default', 'texts that share words get vectors that are near each other', async (server) => {
  const { data } = await client(server).embeddings.create({
    model: 'hash-1',
    input: ['The cat sat on the mat', 'A cat sat on a mat', 'Quarterly revenue grew by ten percent'],
  })
  const [cat, other, revenue] = data.map(({ embedding }) => embedding)
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, index) => sum + value * b[index]!, 0)
  expect(dot(cat!, other!)).toBeGreaterThan(dot(cat!, revenue!))
})

fact('default', 'a parameter the service does not know is accepted and noted', async (server) => {
  const { status, headers } = await fetchFrom(server, {
    ...say('hi', { temprature: 1 }),
    headers: { 'x-mock-explain': '1' },
  })
  expect(status).toBe(200)
  expect(headers.get('x-mock-note')).toBe("unknown parameter 'temprature', did you mean 'temperature'?")
})

// openai

fact('openai', 'requests are checked to the letter', async (server) => {
  const answer = await fetchFrom(server, say('Say this is a test', { model: 'gpt-4o-mini', temprature: 1 }))
  expect(answer.status).toBe(400)
  expect(errorIn(answer).message).toBe("Unknown parameter: 'temprature'. Did you mean 'temperature'?")
})

fact('openai', 'an unknown model is a 404', async (server) => {
  const answer = await fetchFrom(server, say('hi', { model: 'gpt-9' }))
  expect(answer.status).toBe(404)
  expect(errorIn(answer).code).toBe('model_not_found')
})

fact('openai', 'max_tokens on a reasoning model is a 400, max_completion_tokens is not', async (server) => {
  const answer = await fetchFrom(server, say('hi', { model: 'gpt-5.5', max_tokens: 5 }))
  expect(answer.status).toBe(400)
  expect(errorIn(answer).code).toBe('unsupported_parameter')
  expect(await statuses(server, say('hi', { model: 'gpt-5.5', max_completion_tokens: 5 }))).toEqual([200])
})

fact('openai', 'models answer with their dated snapshots', async (server) => {
  const { model } = await client(server).chat.completions.create({ ...greeting, model: 'gpt-4o-mini' })
  expect(model).toBe('gpt-4o-mini-2024-07-18')
})

fact('openai', 'vectors have the sizes of the real models', async (server) => {
  const sizeOf = async (model: string): Promise<number> =>
    (await client(server).embeddings.create({ model, input: 'hi' })).data[0]!.embedding.length
  expect(await sizeOf('text-embedding-3-small')).toBe(1536)
  expect(await sizeOf('text-embedding-3-large')).toBe(3072)
  expect(await sizeOf('text-embedding-ada-002')).toBe(1536)
})

fact('openai', 'each model has one endpoint, and ada-002 one size', async (server) => {
  const ada = { model: 'text-embedding-ada-002' }
  expect(
    await statuses(server, say('hi', ada), embed('hi', { model: 'gpt-4o' }), embed('hi', { ...ada, dimensions: 5 })),
  ).toEqual([404, 403, 400])
})

fact('openai', 'more tokens than a model can write are refused', async (server) => {
  const answer = await fetchFrom(server, say('hi', { model: 'gpt-4o', max_tokens: 32_000 }))
  expect(errorIn(answer).message).toBe(
    'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
  )
})

fact('openai', 'answers tell the limits of a usual account', async (server) => {
  const { headers } = await fetchFrom(server, say('hi', { model: 'gpt-4o' }))
  expect(headers.get('x-ratelimit-limit-requests')).toBe('10000')
  expect(headers.get('x-ratelimit-remaining-requests')).toBe('9999')
  expect(headers.get('x-ratelimit-limit-tokens')).toBe('10000000')
  const embeddings = (await fetchFrom(server, embed('hi', { model: 'text-embedding-3-small' }))).headers
  expect(embeddings.get('x-ratelimit-remaining-requests')).toBe('4999')
  expect(embeddings.get('x-ratelimit-limit-tokens')).toBe('5000000')
})

fact('openai', 'the official client lists its models', async (server) => {
  const names: string[] = []
  for await (const { id } of client(server).models.list()) names.push(id)
  expect(names).toContain('gpt-4o-mini')
  expect(names).toContain('text-embedding-3-large')
})

// rate-limited

fact('rate-limited', 'the fourth call in a row is a 429 with a wait of 20 seconds', async (server) => {
  expect(await statuses(server, embed('hello'), embed('hello'), embed('hello'))).toEqual([200, 200, 200])
  const fourth = await fetchFrom(server, embed('hello'))
  expect(fourth.status).toBe(429)
  expect(fourth.headers.get('retry-after')).toBe('20')
  expect(Number(fourth.headers.get('retry-after-ms'))).toBeLessThanOrEqual(20_000)
  expect(errorIn(fourth)).toMatchObject({ type: 'requests', code: 'rate_limit_exceeded' })
})

fact('rate-limited', 'each key has its own count', async (server) => {
  await statuses(server, {}, {}, {})
  expect(await statuses(server, {}, { key: 'sk-other' })).toEqual([429, 200])
})

fact('rate-limited', 'the official client throws a RateLimitError', async (server) => {
  const impatient = client(server, { maxRetries: 0 })
  for (let time = 0; time < 3; time++) await impatient.chat.completions.create(greeting)
  await expect(impatient.chat.completions.create(greeting)).rejects.toBeInstanceOf(OpenAI.RateLimitError)
})

// unauthorized

fact('unauthorized', 'one key works, a revoked one and all others are a 401', async (server) => {
  const keys = ['sk-mock-valid', 'sk-mock-revoked', 'sk-wrong', '']
  expect(await statuses(server, ...keys.map((key) => ({ key })))).toEqual([200, 401, 401, 401])
})

fact(
  'unauthorized',
  'a revoked key and an unknown one get the same answer, and the journal tells them apart',
  async (server) => {
    const answers = [
      await fetchFrom(server, { key: 'sk-mock-revoked' }),
      await fetchFrom(server, { key: 'sk-mock-unknown' }),
    ]
    const [revoked, unknown] = answers.map((answer) => errorIn(answer))
    expect(revoked).toEqual({
      ...unknown,
      message: unknown!.message.replace(/provided: \S+\./, 'provided: sk-mock-***oked.'),
    })
    expect(server.mock.journal.map(({ reason }) => `${reason.by}: ${reason.name}`)).toEqual([
      'fault: invalid-key (key)',
      'key: invalid-key',
    ])
  },
)

fact('unauthorized', 'without a key the 401 says so', async (server) => {
  expect(errorIn(await fetchFrom(server, { key: '' })).message).toMatch(/^You didn't provide an API key\./)
})

fact('unauthorized', 'the official client throws an AuthenticationError and does not retry', async (server) => {
  const asked = client(server, { apiKey: 'sk-wrong' }).chat.completions.create(greeting)
  await expect(asked).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  expect(server.mock.journal).toHaveLength(1)
})

// invalid-request

fact('invalid-request', 'every call with a key is a 400, however right it is', async (server) => {
  expect(await statuses(server, {}, {}, embed('hello'), say('hi', { stream: true }))).toEqual([400, 400, 400, 400])
  expect(await statuses(server, { key: '' })).toEqual([401])
})

fact('invalid-request', 'the official client does not retry', async (server) => {
  await expect(client(server).embeddings.create(TEXT)).rejects.toBeInstanceOf(OpenAI.BadRequestError)
  expect(server.mock.journal).toHaveLength(1)
})

// outage

fact('outage', 'every call with a key is a 500, and so is every retry', async (server) => {
  expect(await statuses(server, {}, {}, embed('hello'), { key: '' })).toEqual([500, 500, 500, 401])
  await expect(client(server, { maxRetries: 1 }).chat.completions.create(greeting)).rejects.toBeInstanceOf(
    OpenAI.InternalServerError,
  )
  expect(server.mock.journal.filter(({ status }) => status === 500)).toHaveLength(5)
})

// flaky

fact('flaky', 'a client that retries sees nothing of it', async (server) => {
  const { choices } = await client(server).chat.completions.create(greeting)
  expect(choices[0]!.message.content).toBe('Hi!')
  expect(server.mock.journal.map(({ status }) => status)).toEqual([500, 200])
})

fact('flaky', 'a client that does not retry fails the first time, always', async (server) => {
  const impatient = client(server, { maxRetries: 0 })
  for (const content of ['One', 'Two', 'Three']) {
    const asked = { model: 'echo-1', messages: [{ role: 'user' as const, content }] }
    await expect(impatient.chat.completions.create(asked)).rejects.toBeInstanceOf(OpenAI.InternalServerError)
    expect((await impatient.chat.completions.create(asked)).choices[0]!.message.content).toBe(content)
  }
})

fact('flaky', 'each key and each request has a first try of its own', async (server) => {
  const other: HttpCall = { key: 'sk-other' }
  expect(await statuses(server, embed('a'), embed('b'), embed('a'), embed('b'), {}, other, {}, other)).toEqual([
    500, 500, 200, 200, 500, 500, 200, 200,
  ])
})

// incident

/** A call at a number of seconds after the start of a mock with a manual clock. */
async function embedAt(mock: TestMock, second: number): Promise<void> {
  engineOf(mock).begin({
    method: 'POST',
    path: EMBEDDINGS_PATH,
    headers: { authorization: 'Bearer sk-test' },
    body: JSON.stringify({ ...TEXT, input: `second ${second}` }),
    bodyLimit: 1000,
    transport: 'http',
    now: second * 1000,
  })
}

fact('incident', 'after ten calls of any keys it degrades', async (server) => {
  const found: (string | null)[] = []
  for (let number = 0; number < 11; number++) {
    const asked = { ...embed('hello'), key: `sk-${number}`, headers: { 'x-mock-explain': '1' } }
    found.push((await fetchFrom(server, asked)).headers.get('x-mock-state'))
  }
  expect(found).toEqual([...Array(10).fill('healthy'), 'degraded'])
  expect(server.mock.journal.map(({ state }) => state)).toEqual(found)
})

fact('incident', 'it is down for ten seconds, and stumbles when it comes back', async (server) => {
  server.mock.enter('down')
  expect(await statuses(server, {}, embed('hello'), { key: 'sk-other' })).toEqual([503, 503, 503])
  server.mock.enter('recovering')
  const seen = await statuses(server, ...Array.from({ length: 5 }, (_, number) => embed(`hello ${number}`)))
  expect(new Set(seen)).toEqual(new Set([200, 500]))
  expect(server.mock.state).toBe('healthy')
})

fact('incident', 'time alone leads from degraded over down to recovering', async () => {
  const mock = stillMock(builtInScenarios.incident, 1)
  mock.enter('degraded')
  for (const second of [4, 6, 14, 16]) await embedAt(mock, second)
  expect(mock.journal.map(({ state }) => state)).toEqual(['degraded', 'down', 'down', 'recovering'])
})

// bursty

fact('bursty', 'failures come in bursts: hardly any for long, and then many in a row', async () => {
  const mock = stillMock(builtInScenarios.bursty, 1)
  for (let second = 0; second < 100; second++) await embedAt(mock, second)
  expect(mock.journal.map(({ status }) => (status === 503 ? 'x' : '.')).join('')).toMatchInlineSnapshot(
    `"..........................x.......................................................xxxxxxxxxxxxxxxxx."`,
  )
})

// slow, realistic

/** The plan of a greeting of three tokens. */
async function planOf(scenario: 'slow' | 'realistic', stream: boolean) {
  const headers: Record<string, string> = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
  const { plan } = engineOf(createMock(scenario)).begin({
    method: 'POST',
    path: CHAT_PATH,
    headers,
    body: JSON.stringify({ ...HELLO, stream }),
    bodyLimit: 1000,
    transport: 'http',
    now: 0,
  })
  return plan
}

fact('slow', 'a stream waits two seconds for its first token, then sends twenty a second', async () => {
  const { events } = await planOf('slow', true)
  expect(events.at(0)).toEqual({ type: 'wait', ms: 2000 })
  const waits = [...events].filter((event) => event.type === 'wait').map(({ ms }) => ms)
  expect(waits).toEqual([2000, 50, 50])
})

fact('slow', 'an answer that is no stream comes whole, when its last token would have come', async () => {
  const plan = await planOf('slow', false)
  expect([...plan.events].map(({ type }) => type)).toEqual(['wait', 'head', 'send', 'end'])
  expect(waitsOf(plan)).toBe(waitsOf(await planOf('slow', true)))
})

fact('slow', 'a stream over HTTP is whole in the end', async (server) => {
  const { status, text } = await fetchFrom(server, say('One word after the other', { stream: true }))
  expect(status).toBe(200)
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

fact('realistic', 'a stream waits 300 ms for its first token, then sends forty a second', async () => {
  const { events } = await planOf('realistic', true)
  expect([...events].filter((event) => event.type === 'wait').map(({ ms }) => ms)).toEqual([300, 25, 25])
})

fact('realistic', 'an answer that is no stream comes whole, when its last token would have come', async () => {
  expect(waitsOf(await planOf('realistic', false))).toBe(350)
})

// canned

fact('canned', 'a pattern catches a word for the answer', async (server) => {
  expect(await said(server, say('What is the weather in Oslo?'))).toBe('It is sunny in Oslo.')
})

fact('canned', 'where no rule matches, the last user message is echoed', async (server) => {
  expect(await said(server, say('What is the weather in oslo?'))).toBe('What is the weather in oslo?')
})

fact('canned', 'a sequence goes on for each key, and its last text stays', async (server) => {
  const joke = say('Tell me a joke!')
  const told: string[] = []
  for (let time = 0; time < 4; time++) told.push(await said(server, joke))
  expect(told).toEqual([
    'Why did the test pass? Nobody ran it.',
    'A mock walks into a bar. The bar returns 200.',
    'That was my last one.',
    'That was my last one.',
  ])
  expect(await said(server, { ...joke, key: 'sk-other' })).toBe(told[0])
})

fact('canned', 'after a tool has answered, the answer contains its result', async (server) => {
  const messages = [
    { role: 'user', content: 'How warm is it?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '21 degrees' },
  ]
  expect(await said(server, { body: { ...HELLO, messages } })).toBe('The tool says: 21 degrees')
})

fact('canned', 'the system message, the first turn and the model choose a rule', async (server) => {
  const pirate = [
    { role: 'system', content: 'You are a pirate.' },
    { role: 'user', content: 'Where to?' },
  ]
  expect(await said(server, { body: { ...HELLO, messages: pirate } })).toBe('Arr, Where to?')
  expect(await said(server, say('Good morning'))).toBe('Hi there! What can I do for you?')
  const second = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y' },
    { role: 'user', content: 'Good morning' },
  ]
  expect(await said(server, { body: { ...HELLO, messages: second } })).toBe('Good morning')
  expect(await said(server, say('Anything', { model: 'echo-mini' }))).toBe('echo-mini keeps it short.')
})

fact('canned', 'the first attempt fails and the second is answered', async (server) => {
  expect(await statuses(server, say('fail once'))).toEqual([503])
  expect(await said(server, say('fail once'))).toBe('This is attempt 2.')
})

// agent

const functionTool = (name: string, ...parameters: string[]) => ({
  type: 'function' as const,
  function: {
    name,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }])),
      required: parameters,
    },
    description: 'A tool of a test.',
    parse: (text: string): Record<string, string> => JSON.parse(text),
    function: (given: Record<string, string>) =>
      name === 'get_weather' ? `In ${given.city} it is 21 degrees.` : `Clothes for ${given.temperature}: a shirt.`,
  },
})
const weatherTool = functionTool('get_weather', 'city')

fact('agent', 'the official client runs a tool, and its loop ends with the result of the tool', async (server) => {
  const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }]
  const runner = client(server).chat.completions.runTools({ model: 'echo-1', messages, tools: [weatherTool] })
  expect(await runner.finalContent()).toBe('In Oslo it is 21 degrees.')
})

fact('agent', 'a result leads to the next tool', async (server) => {
  const messages = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }]
  const tools = [weatherTool, functionTool('choose_clothes', 'temperature')]
  const runner = client(server).chat.completions.runTools({ model: 'echo-1', messages, tools })
  expect(await runner.finalContent()).toBe('Clothes for 21: a shirt.')
})

fact('agent', 'two calls are made at once, and streamed as well', async (server) => {
  const messages = [{ role: 'user' as const, content: 'The weather in Oslo and Rome, please' }]
  const runner = client(server).chat.completions.runTools({
    model: 'echo-1',
    stream: true,
    messages,
    tools: [weatherTool],
  })
  expect(await runner.finalContent()).toBe('In Oslo it is 21 degrees.\nIn Rome it is 21 degrees.')
})

fact('agent', 'arguments are drawn, objects said as JSON, a refusal and a filter are met', async (server) => {
  const answer = async (content: string, more: object = {}) =>
    (await fetchFrom(server, say(content, more))).json.choices[0]
  const { message } = await answer('Surprise me', { tools: [functionTool('search', 'query')] })
  expect(JSON.parse(message.tool_calls[0].function.arguments)).toEqual({ query: expect.any(String) })
  expect((await answer('Book a table')).message.content).toBe('{"booking":"a table","confirmed":true}')
  expect((await answer('the password?')).message).toMatchObject({ content: null, refusal: "I can't help with that." })
  expect(await answer('Tell me everything!')).toMatchObject({ finish_reason: 'content_filter' })
})

// careless

fact('careless', 'some answers are wrong in meaning, and the same ones each time', async (server) => {
  const reasons = async (): Promise<string[]> => {
    server.mock.reset()
    for (let number = 0; number < 60; number++) {
      await fetchFrom(server, say(`Number ${number}`))
      await fetchFrom(server, embed([`Number ${number}`, 'another']))
    }
    return server.mock.journal.map(({ reason }) => reason.name)
  }
  const first = await reasons()
  expect(await reasons()).toEqual(first)
  expect(new Set(first)).toEqual(
    new Set([
      'echo',
      'vectors',
      ...['undeclared-tool (faults[2])', 'refusal (faults[3])', 'empty-text (faults[4])', 'other-language (faults[5])'],
      ...['wrong-usage (faults[7])', 'wrong-dimension (faults[8])', 'shuffled-embeddings (faults[9])'],
    ]),
  )
})

// All of them

test('every scenario has its tests here, and every file is built in as it is written', async () => {
  const names = readdirSync(FOLDER).map((file) => file.replace(/\.yaml$/, ''))
  expect([...tested].sort()).toEqual(names.sort())
  expect(Object.keys(builtInScenarios).sort()).toEqual(names)
  for (const name of names) {
    expect(await loadScenario(resolve(FOLDER, `${name}.yaml`))).toEqual(builtInScenarios[name as Name])
  }
})
