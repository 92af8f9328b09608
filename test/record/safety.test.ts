/** What the recorder makes of what goes wrong on the way, and what it writes: no secret. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { compileFinder } from '../../src/core/scenario/compile/pattern.ts'
import { createMock } from '../../src/index.ts'
import { Redactor, SECRETS } from '../../src/record/redact/redact.ts'
import { errorIn, fetchFrom, GENEROUS_MS, HELLO, serve } from '../support/http.ts'
import { record, replayed, upstreamThatSays, watched } from './recording.ts'

vi.setConfig({ testTimeout: GENEROUS_MS })

// What goes wrong on the way

test('an unreachable upstream gives a 502 error envelope, which is not recorded', async () => {
  const recording = await record('http://127.0.0.1:9/v1')
  const answer = await fetchFrom(recording)
  expect(answer.status).toBe(502)
  expect(errorIn(answer).message).toBe('The call to the upstream failed: connection to http://127.0.0.1:9 refused.')
  await recording.over(1)
  expect(recording.calls[0]).toMatchObject({ status: 502, problem: expect.stringContaining('refused') })
  expect(recording.cassette.answers).toBe(0)
})

test('the call to a hanging upstream is aborted when the client disconnects', async () => {
  const upstream = await serve('default')
  upstream.mock.inject('hang')
  const recording = await record(upstream.url)
  const leave = new AbortController()
  const waiting = fetch(`${recording.origin}/v1/chat/completions`, {
    method: 'POST',
    body: '{"model":"m"}',
    signal: leave.signal,
    headers: { authorization: 'Bearer sk-test' },
  })
  waiting.catch(() => {})
  const ended = new Promise<string>((resolve) => upstream.mock.onExchange(({ outcome }) => resolve(outcome)))
  while (upstream.mock.journal.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  leave.abort()
  await recording.over(1)
  expect(recording.calls[0]).toMatchObject({ problem: 'the client left before the end' })
  expect(await ended).toBe('client-left')
})

test('the upstream stream ends when the client disconnects, and the partial answer is not recorded', async () => {
  const upstream = await serve({ description: 'Slow.', pace: { perToken: '50ms' } })
  const recording = await record(upstream.url)
  const ended = new Promise<string>((resolve) => upstream.mock.onExchange(({ outcome }) => resolve(outcome)))
  const leave = new AbortController()
  const body = JSON.stringify({ ...HELLO, messages: [{ role: 'user', content: 'word '.repeat(200) }], stream: true })
  const response = await fetch(`${recording.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body,
    signal: leave.signal,
  })
  await response.body!.getReader().read()
  leave.abort()
  expect(await ended).toBe('client-left')
  await recording.over(1)
  expect(recording.calls[0]).toMatchObject({ status: 200, problem: 'the client left before the end' })
  expect(recording.cassette.answers).toBe(0)
})

test('a body that is too large is refused, with and without content-length', async () => {
  const { url, seen } = await watched()
  const answer = await fetchFrom(await record(url), { body: 'x'.repeat(10_000_001) })
  expect(answer.status).toBe(413)
  expect(seen).toEqual([])
})

// What is written

test('a secret split over stream events is redacted, and the text around it stays', async () => {
  const upstream = await serve({
    description: 'x',
    replies: [{ say: 'Write to jo.doe@example.com or use sk-abcdefghijklmnop, please.' }],
  })
  const recording = await record(upstream.url)
  const made = { body: { ...HELLO, stream: true, n: 2 } }
  const real = await fetchFrom(recording, made)
  const contentOf = (text: string, choice: number): string =>
    text
      .split('\n\n')
      .filter((event) => event.startsWith('data: {'))
      .flatMap((event) => JSON.parse(event.slice(6)).choices)
      .filter(({ index }) => index === choice)
      .map(({ delta }) => delta.content ?? '')
      .join('')
  expect(contentOf(real.text, 1)).toContain('jo.doe@example.com')
  await recording.over(1)
  const again = await fetchFrom(await replayed(recording), made)
  for (const choice of [0, 1])
    expect(contentOf(again.text, choice)).toBe('Write to [redacted] or use [redacted], please.')
})

test('an answer is not recorded if the tokens of its logprobs contain a secret', async () => {
  const upstream = await serve({
    description: 'x',
    replies: [{ when: { user: 'secret' }, say: 'Mail jo.doe@example.com.' }],
  })
  const recording = await record(upstream.url)
  const ask = (content: string, stream: boolean) =>
    fetchFrom(recording, {
      body: { ...HELLO, messages: [{ role: 'user', content }], logprobs: true, top_logprobs: 1, stream },
    })
  for (const stream of [false, true]) {
    await ask('a secret', stream)
    await ask('nothing of the kind', stream)
  }
  await recording.over(4)
  const problem = 'its logprobs contain a secret'
  expect(recording.calls.map((one) => one.problem ?? one.ruleId)).toEqual([
    problem,
    'replies[0]',
    problem,
    'replies[1]',
  ])
})

test.each([
  ['request', '{"model":"m","metadata":{"jo@example.com":1,"al@example.com":2}}', '{}'],
  ['answer', '{"model":"m"}', '{"usage":{"jo@example.com" : 1,"al@example.com":2}}'],
])('a call is not recorded if a property name of its %s contains a secret', async (_part, body, answer) => {
  const recording = await record(await upstreamThatSays(answer))
  await fetchFrom(recording, { body })
  await recording.over(1)
  expect(recording.calls[0]!.problem).toBe('a property name contains a secret')
  expect(recording.cassette.answers).toBe(0)
})

test('a status that scenarios do not support is not recorded', async () => {
  const recording = await record(await upstreamThatSays('{}', 'application/json', 700))
  expect((await fetchFrom(recording)).status).toBe(700)
  await recording.over(1)
  expect(recording.calls[0]!.problem).toBe(
    'it cannot be written as a scenario: expected a whole number from 200 to 599, got 700.',
  )
})

test('a secret is redacted when JSON escapes hide it', () => {
  const redactor = new Redactor()
  expect(redactor.redactJson('{"a": "\\u0073k-abcdefghij"}')).toBe('{"a": "[redacted]"}')
  expect(redactor.redactJson('{"a": "line\\nsk-abcdefghij"}')).toBe('{"a": "line\\n[redacted]"}')
  expect(redactor.redactJson('{"a": "{\\"b\\": \\"x\\\\nsk-abcdefghij\\"}"}')).toBe(
    '{"a": "{\\"b\\": \\"x\\\\n[redacted]\\"}"}',
  )
  expect(redactor.redactJson('{"a": "sk-abcdefghij')).toBe('{"a": "[redacted]')
})

test.each([
  'task-management-system',
  'the bearer certificates are here',
  'risk-assessment-2024',
  'you@home',
  'ask-me-anything',
  'using Bearer auth (i.e. Authorization: Bearer YOUR_KEY)',
  'chatcmpl-C4GmsUaSG4ATqnzO0EmAo8RVj0QKm req_0123456789abcdef0123456789abcdef',
])('%j has no secret in it', (text) => {
  expect(new Redactor().redactText(text)).toBe(text)
})

test.each([
  'sk-proj-Abcdefghijklmnop1234',
  'sk-XG6GW****wlmi',
  'Bearer eyx1234567890abcdef',
  'bEArEr eyx1234567890abcdef',
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'a'.repeat(43)}`,
  'AKIAIOSFODNN7EXAMPLE',
  `ghp_${'a'.repeat(36)}`,
  `AIza${'b'.repeat(35)}`,
  'xoxb-1234567890-abcdef',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----',
  'org-mDg34ZUWx7Hunmj4Ycsm19J3',
  'jo.doe+x@mail.example.co.uk',
])('%j is a secret', (text) => {
  expect(new Redactor().redactText(`a ${text} b`)).toBe('a [redacted] b')
})

test('--redact takes a text or a pattern', () => {
  const redactor = new Redactor([compileFinder('case \\d+', 'i')]).forKey('hunter2')
  expect(redactor.redactValue({ a: ['Case 17, hunter2'], n: 1 })).toEqual({ a: ['[redacted], [redacted]'], n: 1 })
})

test('a scenario refuses headers, keys and paths in a recorded answer', () => {
  const make = (rule: object) => () => createMock({ description: 'x', replies: [rule] } as never)
  expect(make({ answer: { body: '', headers: { 'x-api-key': '1' } } })).toThrow("unknown field 'headers'")
  expect(make({ answer: { body: '', file: '../../etc/passwd' } })).toThrow("unknown field 'file'")
  expect(make({ when: { request: {}, authorization: 'x' }, answer: { body: '' } })).toThrow(
    "unknown field 'authorization'",
  )
  expect(make({ answer: { body: '', contentType: 'a/b\r\nset-cookie: x' } })).toThrow('expected a content type')
  expect(make({ when: { request: 1 }, answer: { body: '' } })).toThrow('a request body as a map')
})

test('only known response headers of the upstream are kept', async () => {
  const recording = await record(
    await upstreamThatSays('{}', 'application/json; profile="sk-abcdefghijkl"; charset=utf-8'),
  )
  await fetchFrom(recording)
  await recording.over(1)
  expect(recording.cassette.toString()).toContain('contentType: application/json; charset=utf-8')
  expect(recording.cassette.toString()).not.toContain('sk-')
})

test('docs/record-replay.md names every kind of secret that is redacted', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/record-replay.md'), 'utf8').replace(/\s+/g, ' ')
  for (const { name } of SECRETS) expect(page).toContain(name)
})

test('a 304 and a 205 are not taken for a redirect and an answer with a body', async () => {
  const unchanged = await record(await upstreamThatSays('', 'application/json', 304))
  const { status, text } = await fetchFrom(unchanged)
  expect([status, text]).toEqual([502, expect.stringContaining('304 (not modified) to a call without a condition')])
  const reset = await record(await upstreamThatSays('', 'application/json', 205))
  expect((await fetchFrom(reset)).status).toBe(205)
})
