/** The recorder goes nowhere but to its upstream, for nobody but programs of this machine, and writes no secret. */
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { compileFinder } from '../../src/core/scenario/pattern.ts'
import { createMock } from '../../src/index.ts'
import { Redactor, SECRETS } from '../../src/shell/record/redact.ts'
import { callUpstream, readUpstream } from '../../src/shell/record/upstream.ts'
import { call, errorIn, GENEROUS_MS, HELLO, requestText, serve, Wire } from '../support/http.ts'
import { record, replayed, upstreamOf, upstreamThatSays } from './recording.ts'

vi.setConfig({ testTimeout: GENEROUS_MS })

const KEY = 'sk-proj-Abcdefghijklmnop1234'

/** An upstream that notes what reaches it. */
async function watched() {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = []
  const url = await upstreamOf((request, response) => {
    seen.push({ url: request.url!, headers: request.headers })
    request.resume()
    response
      .writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-request-id': 'req_1' })
      .end('{}')
  })
  return { url, seen }
}

// Where it goes

test('the key and a few headers go to the upstream, and nothing else of a call', async () => {
  const { url, seen } = await watched()
  const recording = await record(url)
  const headers = {
    cookie: 'a=b',
    'x-forwarded-for': '10.0.0.1',
    'openai-organization': 'org-1',
    'x-mock-fault': '500',
  }
  const answer = await call(recording, { key: KEY, headers })
  expect(seen[0]!.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'openai-organization': 'org-1' })
  expect(seen[0]!.headers.host).toBe(new URL(url).host)
  for (const name of ['cookie', 'x-forwarded-for', 'x-mock-fault']) expect(seen[0]!.headers).not.toHaveProperty(name)
  expect(answer.headers.get('x-request-id')).toBe('req_1')
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test.each([
  'http://127.0.0.1:9/v1/chat/completions',
  'https://example.com/v1/embeddings',
  '//example.com/v1/chat/completions',
  '/v1/../admin',
  '/v1/chat/../../admin',
  '/v1/chat%2fcompletions',
  '/v1/%2e%2e/admin',
  '/v1/..%5Cadmin',
  '/v1\\chat\\completions',
  '/v1/chat/completions/',
  '/v1/chat/completions?api-version=1',
  '/v1/chat/completions#x',
  '/v1/chat/completions@example.com',
  '/v1/models',
  '/_mock/',
  '/',
  '*',
])('the target %j is answered 404 and reaches nobody', async (path) => {
  const { url, seen } = await watched()
  const recording = await record(url)
  const wire = await Wire.open(recording)
  await wire.send(requestText({ path, body: '{}' }))
  const answer = await wire.answer()
  expect([400, 404]).toContain(answer!.status)
  expect(seen).toEqual([])
  expect(recording.cassette.answers).toBe(0)
})

test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
  '%s is answered 405 and reaches nobody',
  async (method) => {
    const { url, seen } = await watched()
    const recording = await record(url)
    const wire = await Wire.open(recording)
    await wire.send(`${method} /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`)
    const answer = await wire.answer()
    expect(answer!.status).toBe(405)
    expect(errorIn(answer!).message).toContain(`found the method ${method}`)
    expect(seen).toEqual([])
  },
)

test('CONNECT makes no tunnel', async () => {
  const { url, seen } = await watched()
  const wire = await Wire.open(await record(url))
  await wire.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  expect((await wire.answer())?.status ?? 0).not.toBe(200)
  expect(seen).toEqual([])
})

test.each([
  'example.com',
  '127.0.0.1.example.com',
  'localhost@example.com',
  '127.0.0.1:80@example.com',
  '169.254.169.254',
  '',
])('a call for the Host %j is refused: a page could have made a name of its own point here', async (host) => {
  const { url, seen } = await watched()
  const wire = await Wire.open(await record(url))
  await wire.send(`POST /v1/chat/completions HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`)
  expect([400, 403]).toContain((await wire.answer())!.status)
  expect(seen).toEqual([])
})

test.each([{ origin: 'https://example.com' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
  'a page in a browser is refused: %j',
  async (headers) => {
    const { url, seen } = await watched()
    const wire = await Wire.open(await record(url))
    await wire.send(
      requestText({ body: '{}', headers: Object.entries(headers).map(([name, value]) => `${name}: ${value}`) }),
    )
    const answer = await wire.answer()
    expect(answer!.status).toBe(403)
    expect(errorIn(answer!).message).toContain('not for pages in a browser')
    expect(seen).toEqual([])
  },
)

test.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed, not passed on and not recorded',
  async (status) => {
    const { url: elsewhere, seen } = await watched()
    const upstream = await upstreamOf((request, response) => {
      request.resume()
      response.writeHead(status, { location: `${elsewhere}/chat/completions` }).end()
    })
    const recording = await record(upstream)
    const answer = await call(recording)
    expect(answer.status).toBe(502)
    expect(errorIn(answer).message).toContain(`answered ${status}, a redirect, which is not followed`)
    expect(answer.headers.get('location')).toBeNull()
    await recording.over(1)
    expect(recording.cassette.answers).toBe(0)
    expect(seen).toEqual([])
  },
)

test('a recorder whose upstream is itself says so and does not run in circles', async () => {
  const { url, seen } = await watched()
  const second = await record(url)
  const first = await record(`${second.origin}/v1`)
  expect(errorIn(await call(first)).message).toContain('The upstream is this recorder itself')
  expect(seen).toEqual([])
})

test('the upstream is a base URL and nothing else', () => {
  expect(readUpstream('https://api.example.com/v1/').href).toBe('https://api.example.com/v1')
  expect(readUpstream('http://127.0.0.1:8080/some/where/v1').href).toBe('http://127.0.0.1:8080/some/where/v1')
  expect(() => readUpstream('')).toThrow('--upstream: found nothing')
  expect(() => readUpstream('api.example.com/v1')).toThrow(
    "found 'api.example.com/v1', allowed is a URL that begins with",
  )
  expect(() => readUpstream('file:///etc/v1')).toThrow("found 'file://', allowed is https:// or http://")
  expect(() => readUpstream('https://api.example.com')).toThrow('a URL whose path ends in /v1')
  expect(() => readUpstream('https://api.example.com/v1/../v2')).toThrow('a URL whose path ends in /v1')
  expect(() => readUpstream('https://api.example.com/v1?a=1')).toThrow("found '?a=1' at its end")
  expect(() => readUpstream('https://me:secret@api.example.com/v1')).toThrow(
    '--upstream: found a name or password in the URL, allowed is a URL without them, such as https://api.openai.com/v1.',
  )
})

// What goes wrong on the way

test('an upstream that is down is a 502 in the envelope, and not recorded', async () => {
  const recording = await record('http://127.0.0.1:9/v1')
  const answer = await call(recording)
  expect(answer.status).toBe(502)
  expect(errorIn(answer).message).toBe('The upstream did not answer: nothing listens at http://127.0.0.1:9.')
  await recording.over(1)
  expect(recording.calls[0]).toMatchObject({ status: 502, problem: expect.stringContaining('nothing listens') })
  expect(recording.cassette.answers).toBe(0)
})

test('a client that leaves an upstream that hangs frees it', async () => {
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

test('a client that leaves in the middle of a stream ends it at the upstream too, and half an answer is not recorded', async () => {
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

test('a body that is too large is refused, whatever length it claims', async () => {
  const { url, seen } = await watched()
  const answer = await call(await record(url), { body: 'x'.repeat(10_000_001) })
  expect(answer.status).toBe(413)
  expect(seen).toEqual([])
})

test('an answer that begins with another protocol is an error of the upstream, not of the recorder', async () => {
  await expect(
    callUpstream(new URL('http://127.0.0.1:9/v1'), {
      endpoint: 'chat',
      headers: {},
      body: '',
      signal: AbortSignal.timeout(5000),
    }),
  ).rejects.toThrow('nothing listens')
})

// What is written

test('no key is written: not that of the call, not one in a body, not one in an answer', async () => {
  const upstream = await serve({ description: 'Echo.', keys: { [KEY]: {}, 'plain-key-0001': {} } })
  const recording = await record(upstream.url)
  const content = `my key is ${KEY}, mail jo@example.com, Authorization: Bearer abc123def456ghi`
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content }] }
  await call(recording, { key: KEY, body })
  await call(recording, { key: 'plain-key-0001', body: { ...body, user: 'plain-key-0001' } })
  await call(recording, { key: 'sk-unknown-key-0002', body: { ...body, n: 1 } })
  await recording.over(3)
  const text = recording.cassette.toString()
  for (const secret of [KEY, 'plain-key-0001', 'sk-unknow', '0002', 'jo@example', 'abc123def456ghi']) {
    expect(text).not.toContain(secret)
  }
  expect(text).toContain('my key is [redacted], mail [redacted], Authorization: [redacted]')
  // The request still finds its answer, whichever key is in it.
  const again = await replayed(recording)
  expect((await call(again, { body })).json.choices[0].message.content).toContain('my key is [redacted]')
  expect((await call(again, { body: { ...body, user: 'another' } })).status).toBe(200)
})

test('a secret that a stream says piece by piece is found, and what is around it stays', async () => {
  const upstream = await serve({
    description: 'x',
    replies: [{ say: 'Write to jo.doe@example.com or use sk-abcdefghijklmnop, please.' }],
  })
  const recording = await record(upstream.url)
  const made = { body: { ...HELLO, stream: true, n: 2 } }
  const real = await call(recording, made)
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
  const again = await call(await replayed(recording), made)
  for (const choice of [0, 1])
    expect(contentOf(again.text, choice)).toBe('Write to [redacted] or use [redacted], please.')
})

test('an answer whose logprobs spell a secret token by token is not recorded; one without a secret is', async () => {
  const upstream = await serve({
    description: 'x',
    replies: [{ when: { user: 'secret' }, say: 'Mail jo.doe@example.com.' }],
  })
  const recording = await record(upstream.url)
  const ask = (content: string, stream: boolean) =>
    call(recording, {
      body: { ...HELLO, messages: [{ role: 'user', content }], logprobs: true, top_logprobs: 1, stream },
    })
  for (const stream of [false, true]) {
    await ask('a secret', stream)
    await ask('nothing of the kind', stream)
  }
  await recording.over(4)
  const problem = 'its logprobs spell a secret, token by token'
  expect(recording.calls.map((one) => one.problem ?? one.place)).toEqual([problem, 'replies[0]', problem, 'replies[1]'])
})

test('a status that no scenario has is not recorded', async () => {
  const recording = await record(await upstreamThatSays('{}', 'application/json', 700))
  expect((await call(recording)).status).toBe(700)
  await recording.over(1)
  expect(recording.calls[0]!.problem).toBe(
    "it can't be written as a scenario: found the number 700, allowed is a status from 200 to 599.",
  )
})

test('a secret is found however JSON spells it', () => {
  const redactor = new Redactor()
  expect(redactor.json('{"a": "\\u0073k-abcdefghij"}')).toBe('{"a": "[redacted]"}')
  expect(redactor.json('{"a": "line\\nsk-abcdefghij"}')).toBe('{"a": "line\\n[redacted]"}')
  expect(redactor.json('{"a": "{\\"b\\": \\"x\\\\nsk-abcdefghij\\"}"}')).toBe(
    '{"a": "{\\"b\\": \\"x\\\\n[redacted]\\"}"}',
  )
  expect(redactor.json('{"a": "sk-abcdefghij')).toBe('{"a": "[redacted]')
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
  expect(new Redactor().text(text)).toBe(text)
})

test.each([
  'sk-proj-Abcdefghijklmnop1234',
  'sk-XG6GW****wlmi',
  'Bearer eyx1234567890abcdef',
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'a'.repeat(43)}`,
  'AKIAIOSFODNN7EXAMPLE',
  `ghp_${'a'.repeat(36)}`,
  `AIza${'b'.repeat(35)}`,
  'xoxb-1234567890-abcdef',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIEow==\n-----END RSA PRIVATE KEY-----',
  'org-mDg34ZUWx7Hunmj4Ycsm19J3',
  'jo.doe+x@mail.example.co.uk',
])('%j is a secret', (text) => {
  expect(new Redactor().text(`a ${text} b`)).toBe('a [redacted] b')
})

test('what --redact names is left out too, as a text or a pattern', () => {
  const redactor = new Redactor([compileFinder('case \\d+', 'i')]).forKey('hunter2')
  expect(redactor.value({ a: ['Case 17, hunter2'], n: 1 })).toEqual({ a: ['[redacted], [redacted]'], n: 1 })
})

test.each(['a', 'sk-', 'a@', 'eyJ', 'eyJa.', 'Bearer ', '-----BEGIN PRIVATE KEY-----', '\\', '"', '"\\"'])(
  'a megabyte of %j is judged in no time',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length)
    expect(new Redactor().json(text).length).toBeGreaterThan(0)
  },
)

test('a cassette has no place for a header, a key or a path, and says so', () => {
  const make = (rule: object) => () => createMock({ description: 'x', replies: [rule] } as never)
  expect(make({ answer: { body: '', headers: { 'x-api-key': '1' } } })).toThrow("found the unknown key 'headers'")
  expect(make({ answer: { body: '', file: '../../etc/passwd' } })).toThrow("found the unknown key 'file'")
  expect(make({ when: { request: {}, authorization: 'x' }, answer: { body: '' } })).toThrow(
    "found the unknown key 'authorization'",
  )
  expect(make({ answer: { body: '', contentType: 'a/b\r\nset-cookie: x' } })).toThrow('allowed is a content type')
  expect(make({ when: { request: 1 }, answer: { body: '' } })).toThrow('a request body as a map')
})

test('the upstream may say what it likes in its head: only what is known is kept', async () => {
  const recording = await record(
    await upstreamThatSays('{}', 'application/json; profile="sk-abcdefghijkl"; charset=utf-8'),
  )
  await call(recording)
  await recording.over(1)
  expect(recording.cassette.toString()).toContain('contentType: application/json; charset=utf-8')
  expect(recording.cassette.toString()).not.toContain('sk-')
})

test('the README names every kind of secret that is left out', () => {
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8').replace(/\s+/g, ' ')
  for (const { name } of SECRETS) expect(readme).toContain(name)
})
