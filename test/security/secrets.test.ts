/**
 * Attack: none is needed: a key ends up in a log, a journal, a report, a cassette or an error message, and that travels.
 * It is sent in the Authorization header, where it belongs, or in a query, a path, a body, a name, a header.
 * Defence: what is kept of a call shows the key of that call, and whatever looks like a key, shortened, however it is
 * spelt; 404s say none again; logs have no bodies and no queries; cassettes leave out what looks like a secret.
 */
import { expect, test } from 'vitest'
import { callEvent, callLine } from '../../src/cli/output/log-entries.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { buildMockReport } from '../../src/engine/mock-report.ts'
import { record, replayed } from '../record/recording.ts'
import { EMBEDDINGS_PATH, fetchFrom, HELLO, type HttpCall, type Served, serve, TEXT } from '../support/http.ts'
import { attack } from './attacker.ts'

const KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz'
const PLAIN = 'a-plain-key-0123456789'

/** Everything that is kept or shown of the calls so far. */
async function shown(server: Served): Promise<string> {
  const { mock } = server
  const paths = ['journal', 'journal/1', 'limits', 'metrics', 'report', 'faults', 'health']
  const told = await Promise.all(
    paths.map(async (path) => (await fetchFrom(server, { path: `/_mock/${path}`, key: '' })).text),
  )
  const watching = new AbortController()
  const { body } = await fetch(`${server.origin}/_mock/events`, { signal: watching.signal })
  const { value } = await body!.getReader().read()
  watching.abort()
  return [
    ...told,
    new TextDecoder().decode(value),
    ...mock.journal.map((entry) => JSON.stringify(callEvent(entry)) + callLine(entry, (_, text) => text)),
    JSON.stringify(buildMockReport(engineOf(mock).view)),
  ].join('\n')
}

const encoded = (key: string): string => key.replaceAll('-', '%2D').replace('b', '%62')
const PLACES: Record<string, (key: string) => HttpCall> = {
  'the header alone': () => ({}),
  'the path': (key) => ({ path: `/v1/${key}/completions`, body: HELLO }),
  'the path, with percent signs': (key) => ({ path: `/v1/models/${encoded(key)}` }),
  'an unknown path, with percent signs': (key) => ({ path: `/v1/${encoded(key)}` }),
  'a value of the query': (key) => ({ path: `/v1/chat/completions?a=${key}`, body: HELLO }),
  'a name of the query': (key) => ({ path: `/v1/chat/completions?${key}`, body: HELLO }),
  'a part of the query': (key) => ({ path: `/v1/chat/completions?url=https%3A%2F%2F${encoded(key)}`, body: HELLO }),
  'the name of the model': (key) => ({ body: { ...HELLO, model: key } }),
  'the name of a parameter': (key) => ({ body: { ...HELLO, [key]: 1 }, headers: { 'x-mock-explain': '1' } }),
  'what is said': (key) => ({ body: { ...HELLO, messages: [{ role: 'user', content: `It is ${key}.` }] } }),
  'what is said in a stream': (key) => ({
    body: { ...HELLO, stream: true, messages: [{ role: 'user', content: key }] },
  }),
  'JSON in what is said, after a line break': (key) => ({
    body: { ...HELLO, messages: [{ role: 'user', content: JSON.stringify({ file: `KEY:\n${key}\n` }) }] },
  }),
  'the name of a tool that must be called': (key) => ({
    body: { ...HELLO, tools: [{ type: 'function', function: { name: key } }], tool_choice: 'required' },
  }),
  'a body that is no JSON': (key) => ({ body: `{"model":"${key}` }),
  'a role': (key) => ({ body: { ...HELLO, messages: [{ role: key, content: 'x' }] } }),
  'the content type': (key) => ({ headers: { 'content-type': `text/${key}` } }),
  'the name of a fault': (key) => ({ headers: { 'x-mock-fault': key } }),
  'the option of a fault': (key) => ({ headers: { 'x-mock-fault': `rate-limit; retry-after=${key}` } }),
  'another scheme': (key) => ({ headers: { authorization: `Basic ${key}` } }),
  'a question before a call': (key) => ({
    method: 'OPTIONS',
    headers: { 'access-control-request-headers': `x-${key}` },
  }),
}

test.each(Object.entries(PLACES))('a key in %s is in no journal, log, report, event or metric', async (_, made) => {
  for (const key of [KEY, PLAIN]) {
    const server = await serve({ description: 'x', limits: { requests: '9 per minute' } })
    await fetchFrom(server, { key, ...made(key) })
    const text = await shown(server)
    expect(text).toContain('/v1/')
    for (const spelt of [key, encoded(key)]) expect(text).not.toContain(spelt)
  }
})

test.each([
  ['a path', { path: `/v1/${KEY}` }],
  ['a path with percent signs', { path: `/v1/${encoded(KEY)}` }],
  ['a query', { path: `/v1/nowhere?key=${KEY}` }],
  ['a model', { body: { ...HELLO, model: KEY } }],
  ['the address of a model', { path: `/v1/models/${KEY}` }],
  ['a path of the control plane', { path: `/_mock/${KEY}` }],
  ["a path beside the user's handlers", { path: `/own/${KEY}` }],
])('a 404 does not repeat the key of %s', async (_, made) => {
  const handlers = new URL('../server/control-plane/fixtures/handlers.mjs', import.meta.url).pathname
  const server = await serve({ description: 'x', models: { 'echo-1': {} } }, { listen: { handlers } })
  for (const key of [KEY, PLAIN]) {
    const { status, text } = await fetchFrom(server, { key, ...made })
    expect(status).toBe(404)
    expect(text).not.toContain(KEY)
    expect(text).not.toContain(encoded(KEY))
  }
})

test('an error of the control plane does not repeat the token', async () => {
  const token = 'the-token-of-the-server'
  const server = await serve('default', { listen: { host: '0.0.0.0', token } })
  const headers = [`Authorization: Bearer ${token}`]
  for (const path of [`/_mock/${token}`, '/_mock/nowhere', '/_mock/journal?x=1']) {
    expect((await attack(server, { path, headers })).text).not.toContain(token)
  }
})

test('a refused key of more than 12 characters is repeated only in part', async () => {
  const server = await serve({ description: 'x', keys: { 'sk-test': {} } })
  const { status, text } = await fetchFrom(server, { key: KEY })
  expect([status, text.includes(`sk-proj-${'*'.repeat(KEY.length - 12)}wxyz`), text.includes(KEY)]).toEqual([
    401,
    true,
    false,
  ])
})

const KEYS = ['sk-proj-abcdefghijklmnopqrstuvwxyz', 'sk-short-1', 'sk-12', 'four', 'k']

test.each(KEYS)('the key %s is never in the journal, however the call ends', async (key) => {
  const server = await serve({
    description: 'A test.',
    keys: { [KEYS[0]!]: {}, [KEYS[1]!]: { fault: 'invalid-key' } },
  })
  const calls: HttpCall[] = [
    {},
    { body: '{' },
    { path: '/v1/models' },
    { path: '/v1/foo' },
    { headers: { authorization: `bearer   ${key}` } },
    { headers: { authorization: `Basic ${key}` } },
    { headers: { 'x-mock-fault': '401' } },
    { headers: { 'x-mock-fault': 'nonsense' } },
    { path: EMBEDDINGS_PATH, body: TEXT },
  ]
  for (const each of calls) await fetchFrom(server, { ...each, key })
  const { text, json } = await fetchFrom(server, { path: '/_mock/journal' })
  expect(json.entries).toHaveLength(calls.length)
  // A key of a few letters is part of other words; then it is the field that must not show it.
  if (key.length > 4) expect(text).not.toContain(key)
  for (const entry of json.entries) expect(entry.key).not.toBe(key)
})

test('a key in a body is never in the journal', async () => {
  const server = await serve()
  const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz'
  await fetchFrom(server, {
    key,
    body: { ...HELLO, user: key, messages: [{ role: 'user', content: `My key is ${key}.` }] },
  })
  await fetchFrom(server, { key, body: { ...HELLO, [key]: 1 } })
  await fetchFrom(server, { key, path: `/v1/models/${key}` })
  await fetchFrom(server, { key, path: `/v1/${key}` })
  expect((await fetchFrom(server, { path: '/_mock/journal' })).text).not.toContain(key)
})

test.each([
  ['of digits, which the body has as a number', '1234567890', '{"seed":1234567890}'],
  ['of brackets, which the body has as lists', '[[[[[[[[[[[[', `{"zzz":${'['.repeat(20)}${']'.repeat(20)}}`],
  ['with signs that a replacement reads as its own', 'sk-$&$1$$abcdefghij', '{"user":"sk-$&$1$$abcdefghij"}'],
  ['that the body writes in escapes', 'sk-proj-abcdefghijklm', '{"user":"\\u0073k-proj-abcdefghijklm"}'],
  ['with quotes and backslashes', 'sk-"a\\b"-abcdefghij', '{"user":"sk-\\"a\\\\b\\"-abcdefghij"}'],
  ['that the body has as a name', 'sk-proj-abcdefghijklm', '{"store":true,"metadata":{"sk-proj-abcdefghijklm":"x"}}'],
])('a call with a key %s is answered, and the journal hides the key', async (_, key, more) => {
  const server = await serve()
  const body = `${JSON.stringify(HELLO).slice(0, -1)},${more.slice(1)}`
  expect((await fetchFrom(server, { key, body })).status).toBe(200)
  const { entries } = (await fetchFrom(server, { path: '/_mock/journal' })).json
  expect(entries).toHaveLength(1)
  const texts: unknown[] = []
  JSON.stringify(entries, (name, value) => {
    texts.push(name, value)
    return value
  })
  expect(texts.filter((text) => typeof text === 'string' && text.includes(key))).toEqual([])
})

test('a key in a query string is masked under any parameter name', async () => {
  const server = await serve()
  const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz'
  const query = `api-version=2&access_token=hunter22hunter22&x=${key}`
  await fetchFrom(server, { path: `/v1/chat/completions?${query}`, method: 'POST', body: HELLO })
  await fetchFrom(server, { path: '/v1/chat/completions?q=sk-test', method: 'POST', body: HELLO })
  const { entries } = (await fetchFrom(server, { path: '/_mock/journal' })).json
  expect(entries.map(({ path, query }: { path: string; query: string }) => [path, query])).toEqual([
    ['/v1/chat/completions', 'api-version=2&access_token=hunter22****er22&x=sk-proj-****wxyz'],
    ['/v1/chat/completions', 'q=sk****st'],
  ])
})

// Cassettes

test("a cassette contains no key: not the call's, not one in a body, not one in an answer", async () => {
  const upstream = await serve({ description: 'Echo.', keys: { [KEY]: {}, 'plain-key-0001': {} } })
  const recording = await record(upstream.url)
  const content = `my key is ${KEY}, mail jo@example.com, Authorization: Bearer abc123def456ghi`
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content }] }
  await fetchFrom(recording, { key: KEY, body })
  await fetchFrom(recording, { key: 'plain-key-0001', body: { ...body, user: 'plain-key-0001' } })
  await fetchFrom(recording, { key: 'sk-unknown-key-0002', body: { ...body, n: 1 } })
  await recording.over(3)
  const text = recording.cassette.toString()
  for (const secret of [KEY, 'plain-key-0001', 'sk-unknow', '0002', 'jo@example', 'abc123def456ghi']) {
    expect(text).not.toContain(secret)
  }
  expect(text).toContain('my key is [redacted], mail [redacted], Authorization: [redacted]')
  // The request still finds its answer, whichever key is in it.
  const again = await replayed(recording)
  expect((await fetchFrom(again, { body })).json.choices[0].message.content).toContain('my key is [redacted]')
  expect((await fetchFrom(again, { body: { ...body, user: 'another' } })).status).toBe(200)
})

test('a path that the recorder refuses is in its log and its answer without a key', async () => {
  const recording = await record('http://127.0.0.1:9/v1')
  const { status, text } = await fetchFrom(recording, { path: `/v1/${KEY}?key=${KEY}`, body: '{}' })
  await recording.over(1)
  expect([status, text.includes(KEY), JSON.stringify(recording.calls).includes(KEY)]).toEqual([404, false, false])
})
