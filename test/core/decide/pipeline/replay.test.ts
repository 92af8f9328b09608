/** Recorded answers: which one is given, when, and byte for byte. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decide } from '../../../../src/core/decide/pipeline/decide.ts'
import { replay } from '../../../../src/core/decide/pipeline/replay.ts'
import { encodeBase64, formatVector } from '../../../../src/core/lib/embeddings/float32.ts'
import { waitsOf } from '../../../../src/core/protocol/plan/plan.ts'
import { prepareSource } from '../../../../src/core/scenario/check/prepare-source.ts'
import type { ScenarioInput } from '../../../../src/index.ts'
import { type CoreMock, HELLO, mockWith } from '../../../support/core.ts'

type Rule = NonNullable<ScenarioInput['replies']>[number]
const cassette = (...replies: Rule[]): CoreMock => mockWith(prepareSource({ description: 'x', replies }))
const EMBEDDINGS = { path: '/v1/embeddings', body: { model: 'hash-1', input: 'hi' } }

test('a recorded body is sent byte for byte, with its status and the headers that clients use', () => {
  const body = '{\n  "error": {"message": "Slow down.", "type": "requests", "param": null, "code": null}\n}\n'
  const mock = cassette({ when: { request: HELLO }, answer: { status: 429, retryAfter: '1.5s', body } })
  const { status, headers, text } = mock.answer()
  expect(text).toBe(body)
  expect(status).toBe(429)
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '2', 'retry-after-ms': '1500' })
})

test('a replay says which rule gave it and whether it is a stream, and has nothing to note', () => {
  const reason = { by: 'reply', name: 'replies[0]' }
  const body = cassette({ answer: { status: 500, body: '{}' } }).plan()
  expect(body).toMatchObject({ reason, isStream: false, notes: [] })
  const stream = cassette({ answer: { events: [{ at: '1ms', data: '[DONE]' }] } }).plan()
  expect(stream).toMatchObject({ reason, isStream: true, notes: [] })
})

test('a recorded wait of 0 makes the client retry at once', () => {
  const mock = cassette({ answer: { status: 503, retryAfter: '0s', body: '{}' } })
  expect(mock.answer().headers).toMatchObject({ 'retry-after': '0', 'retry-after-ms': '1' })
})

test('a recorded stream has the recorded waits between events, and can break off', () => {
  const mock = cassette({
    answer: {
      wait: '300ms',
      events: [
        { at: '300ms', data: '{"a":1}' },
        { at: '320ms', data: '{"a":2}' },
        { at: '1s', text: ': still there\n\n' },
      ],
      cut: true,
    },
  })
  const plan = mock.plan()
  expect(
    [...plan.events].map((event) => (event.type === 'wait' ? event.ms : 'data' in event ? event.data : event.type)),
  ).toEqual([300, 'head', 'data: {"a":1}\n\n', 20, 'data: {"a":2}\n\n', 680, ': still there\n\n', 'reset'])
  expect(waitsOf(plan)).toBe(1000)
  expect(mock.answer().headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8' })
})

test('the answers of a rule are given one after the other for each key, and the last one stays', () => {
  const mock = cassette({ answer: [{ status: 500, body: 'a' }, { body: 'b' }] })
  const texts = (key: string) => [1, 2, 3].map(() => mock.answer({ key }).text)
  expect(texts('sk-a')).toEqual(['a', 'b', 'b'])
  expect(texts('sk-b')).toEqual(['a', 'b', 'b'])
})

test('requests are equal exactly if they differ only in the order of keys', () => {
  const mock = cassette({ when: { request: { ...HELLO, n: 1 } }, answer: { body: 'yes' } })
  const status = (body: object) => mock.answer({ body }).status
  expect(status({ n: 1, messages: [{ content: 'Hello there!', role: 'user' }], model: 'echo-1' })).toBe(200)
  expect(status(HELLO)).toBe(404)
  expect(status({ ...HELLO, n: 2 })).toBe(404)
  expect(status({ ...HELLO, n: 1, stream: true })).toBe(404)
  expect(status({ ...HELLO, n: 1, messages: [] })).toBe(404)
})

test('a redacted part of a request matches any text; the text around it must be equal', () => {
  const request = { model: 'm', messages: [{ role: 'user', content: 'my key is [redacted], hush' }] }
  const mock = cassette({ when: { request }, answer: { body: 'yes' } })
  const status = (content: string) =>
    mock.answer({ body: { model: 'm', messages: [{ role: 'user', content }] } }).status
  expect(status('my key is sk-1234567890, hush')).toBe(200)
  expect(status('my key is sk-1234567890, psst')).toBe(404)
})

test('a request that is not JSON, or that YAML cannot write, is recorded as text', () => {
  const mock = cassette(
    { when: { request: '{"model": ' }, answer: { status: 400, body: 'no JSON' } },
    { when: { request: '{"model":"m","x":{"__proto__":1}}' }, answer: { body: 'proto' } },
  )
  expect(mock.answer({ body: '{"model": ' })).toMatchObject({ status: 400, text: 'no JSON' })
  expect(mock.answer({ body: '{"x": {"__proto__": 1}, "model": "m"}' }).text).toBe('proto')
  expect(mock.answer({ body: '{"x": {}, "model": "m"}' }).status).toBe(404)
})

test('an unrecorded call gets a 404 that says so; invalid JSON gets its usual 400', () => {
  const mock = cassette({ when: { endpoint: 'embeddings' }, answer: { body: '{}' } })
  expect(mock.json().error).toMatchObject({
    code: 'mock_not_recorded',
    message: expect.stringContaining("model 'echo-1'"),
  })
  expect(mock.answer({ body: '{' }).status).toBe(400)
  expect(mock.answer(EMBEDDINGS).text).toBe('{}')
})

test('recorded answers work beside other rules, also for requests that the mock would refuse', () => {
  const invalid = { ...HELLO, temperature: 9 }
  const mock = cassette(
    { when: { request: invalid }, answer: { status: 400, body: 'too hot' } },
    { when: { user: 'hello' }, say: 'Hi!' },
  )
  expect(mock.answer({ body: invalid }).text).toBe('too hot')
  expect(mock.json().choices[0].message.content).toBe('Hi!')
})

test('keys, limits and faults come before a recorded answer', () => {
  const source: ScenarioInput = {
    description: 'x',
    keys: { 'sk-test': { limits: { requests: '1 per minute' } } },
    replies: [
      {
        answer: {
          events: [
            { at: '0ms', data: 'a' },
            { at: '0ms', data: 'b' },
          ],
        },
      },
    ],
  }
  const mock = mockWith(prepareSource(source))
  expect(mock.answer({ key: 'sk-other' }).status).toBe(401)
  expect(mock.answer({ headers: { 'x-mock-fault': 'server-error' } }).status).toBe(500)
  expect(mock.plan({ headers: { 'x-mock-fault': 'cut; after=1' } }).events.at(-1)).toEqual({ type: 'reset' })
  expect(mock.answer().status).toBe(429)
})

test.each([
  ['cut', 'reset'],
  ['cut; end=clean', 'end'],
  ['cut; end=stall', 'stall'],
  ['half-body', 'close'],
  ['truncated-gzip', 'end'],
  ['reset-after-headers', 'reset'],
])('the fault %s closes a recorded answer that broke off once, with a %s', (fault, closing) => {
  const events = [0, 1, 2].map((at) => ({ at: `${at}ms` as const, data: `{"a":${at}}` }))
  for (const answer of [
    { events, cut: true },
    { body: '{"a":1}', cut: true },
  ]) {
    const { events } = cassette({ answer }).plan({ headers: { 'x-mock-fault': fault } })
    const types = Array.from(events, ({ type }) => type)
    expect(types.filter((type) => ['end', 'close', 'reset', 'stall'].includes(type))).toEqual([closing])
    expect(types.at(-1)).toBe(closing)
  }
})

test('a semantic fault is refused if the answer is a recorded one', () => {
  const mock = cassette({ answer: { body: '{}' } })
  expect(mock.json({ headers: { 'x-mock-fault': 'refusal' } }).error.code).toBe('mock_impossible_fault')
})

test('any float32s are sent as decimals or base64, as the service wrote them', () => {
  const anyFloats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(anyFloats, (numbers) => {
      const vector = Float32Array.from(numbers)
      const floats = encodeBase64(vector)
      const answer = { body: '{"a":[{{vector}}],"b":"{{vector}}"}', vectors: [{ floats }, { base64: floats }] }
      expect(cassette({ answer }).answer(EMBEDDINGS).text).toBe(`{"a":${formatVector(vector)},"b":"${floats}"}`)
    }),
  )
})

test('floats are written with the spaces and exponents of the service', () => {
  const floats = encodeBase64(Float32Array.of(0.5, -0.0000561251, 7.522572e-5, 0.0001, 0))
  const answer = { body: '[\n  {{vector}}\n]', vectors: [{ floats, between: ',\n  ', exponents: true }] }
  expect(cassette({ answer }).answer(EMBEDDINGS).text).toBe(
    '[\n  0.5,\n  -5.61251e-05,\n  7.522572e-05,\n  0.0001,\n  0\n]',
  )
})

test('an invalid recorded answer is refused, and the message lists what is allowed', () => {
  const problem = (answer: unknown): string => {
    try {
      prepareSource({ description: 'x', replies: [{ answer }] })
      return 'none'
    } catch (error) {
      return (error as Error).message.split('\n').slice(1).join(' ')
    }
  }
  expect(problem({})).toContain('replies[0].answer: expected either body or events, got both or neither')
  expect(problem({ body: '', events: [] })).toContain('expected either body or events, got both or neither')
  expect(problem({ body: 'x', headers: { authorization: 'x' } })).toContain("unknown field 'headers'")
  expect(problem({ body: 'x', status: 99 })).toContain('expected a whole number from 200 to 599, got 99')
  expect(problem({ body: 'x', contentType: 'text/plain\r\nx-evil: 1' })).toContain('expected a content type')
  expect(problem({ body: 'x', retryAfter: '2s\r\nx: 1' })).toContain('expected a duration')
  expect(problem({ body: 'x', vectors: [{ base64: 'AAAA' }] })).toContain('one for each {{vector}} in the body')
  expect(problem({ body: '{{vector}}', vectors: [{}] })).toContain('expected either base64 or floats')
  expect(problem({ body: '{{vector}}', vectors: [{ floats: 'AAAAAA==', between: ', 1,' }] })).toContain(
    'expected a comma',
  )
  expect(problem({ events: [{ at: '0ms', data: 'a\nb' }] })).toContain('expected a line of text')
  expect(problem({ events: [{ at: '0ms' }] })).toContain('expected either data or text')
})

const CHAT_USAGE = '{"prompt_tokens":7,"completion_tokens":30,"completion_tokens_details":{"reasoning_tokens":20}}'
const RESPONSES_USAGE =
  '{"input_tokens":7,"input_tokens_details":{"cached_tokens":0},"output_tokens":30,"output_tokens_details":{"reasoning_tokens":20}}'
const USED = { prompt: 7, completion: 30, unstreamed: 30, reasoning: 20 }

test.each([
  ['a chat completion', `{"usage":${CHAT_USAGE}}`, USED],
  ['a response', `{"usage":${RESPONSES_USAGE}}`, USED],
  [
    'a response with the tokens of its tools before its own',
    `{"tool_usage":{"image_gen":{"input_tokens":1,"output_tokens":2,"reasoning_tokens":3}},"usage":${RESPONSES_USAGE}}`,
    USED,
  ],
  ['embeddings', '{"usage":{"prompt_tokens":7}}', { prompt: 7, completion: 0, unstreamed: 0, reasoning: 0 }],
  ['an answer without usage', '{}', undefined],
])('%s is counted as its recorded usage says', (_, body, usage) => {
  const context = cassette({ answer: { body } }).context()
  expect(replay(context, context.rules.search.found!.rule).usage).toEqual(usage)
})

test('the usage of a recorded stream is that of its last event with one', () => {
  const event = (usage: object | null, at: '0ms' | '10ms' | '20ms') => ({ at, data: JSON.stringify({ usage }) })
  const usageOf = (...events: ReturnType<typeof event>[]) => {
    const mock = cassette({ answer: { events } })
    return decide(mock.context()).usage
  }
  const [early, late] = [7, 9].map((tokens) => ({ prompt_tokens: tokens, completion_tokens: 2 }))
  expect(usageOf(event(null, '0ms'), event(early!, '10ms'), event(late!, '20ms'))).toEqual({
    prompt: 9,
    completion: 2,
    unstreamed: 2,
    reasoning: 0,
  })
  expect(usageOf(event(null, '0ms'), event(null, '10ms'))).toBeUndefined()
})
