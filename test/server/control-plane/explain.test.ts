/** Explaining a call, in process and over HTTP: what it would get, and nothing changes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock, isMockError, type ScenarioInput } from '../../../src/index.ts'
import { listen, type MockServer } from '../../../src/node.ts'

const SCENARIO: ScenarioInput = {
  description: 'One call a day, and a rule for the weather.',
  limits: { requests: '1 per day' },
  replies: [{ when: { user: 'weather' }, say: 'Rain.' }],
}
const body = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello!' }] }
const mock = createMock(SCENARIO)
let server: MockServer

beforeAll(async () => {
  server = await listen(mock, { port: 0 })
})
afterAll(() => server.close(0))

const post = (request: unknown): Promise<Response> =>
  fetch(`${server.controlUrl}/explain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })

test('a call has the same explanation in process and over HTTP, each time', async () => {
  const explained = await mock.explain({ body })
  expect(explained).toMatchObject({
    status: 200,
    reason: { by: 'echo', name: 'echo' },
    attempt: 1,
    passedOver: [
      { kind: 'limit', id: '1 requests per day', why: '1 left, the call takes 1' },
      { kind: 'rule', id: 'replies[0]' },
    ],
  })
  for (let time = 0; time < 3; time++) expect(await (await post({ body })).json()).toEqual(explained)
  expect(mock.journal).toEqual([])
  expect(mock.limitUsage).toEqual([])
})

test('after a call, the explanation of the next call names the limit that refuses it', async () => {
  await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.scenario.exampleKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(await mock.explain({ body })).toMatchObject({ status: 429, limit: 'requests', attempt: 2 })
  expect(await mock.explain({ body, key: 'sk-other' })).toMatchObject({ status: 200, attempt: 1 })
  mock.reset()
})

test('the path follows from the body unless it is given', async () => {
  expect(await mock.explain({ body: { model: 'hash-1', input: 'Hello!' } })).toMatchObject({
    reason: { by: 'vectors' },
  })
  expect(await mock.explain({ path: '/models' })).toMatchObject({ status: 200, reason: { by: 'models' } })
  expect(await mock.explain({ path: '/v1/model' })).toMatchObject({ status: 404, reason: { by: 'route' } })
})

test('header names are matched in any case', async () => {
  const explained = await mock.explain({ body, headers: { 'X-Mock-Fault': 'server-error' } })
  expect(explained).toMatchObject({ status: 500, fault: 'server-error' })
})

test.each([
  [{ bodi: body }, "Unknown option 'bodi'. Did you mean 'body'?"],
  [{ body: 5 }, 'explain: expected body to be an object or a text, got 5.'],
  [{ key: 5 }, 'explain: expected key to be a text, got 5.'],
  [{ transport: 'tcp' }, "expected transport to be 'http' or 'fetch', got 'tcp'."],
])('%j is refused with a sentence that helps', async (request, message) => {
  const failed = await mock.explain(request as never).catch((error: unknown) => error)
  expect(isMockError(failed)).toBe(true)
  expect((failed as Error).message).toContain(message)
  const answer = await post(request)
  expect(answer.status).toBe(400)
  expect((await answer.json()).error.message).toContain(message)
})

test.each([[[]], [null], ['text']])('over HTTP, the body %j is refused with an example', async (body) => {
  const answer = await post(body)
  expect(answer.status).toBe(400)
  expect((await answer.json()).error.message).toContain('Send JSON like {"body": ')
})

const input = { model: 'hash-1', input: 'Hello!' }
const nested = (depth: number): string => `{"model":"echo-1","messages":${'['.repeat(depth)}${']'.repeat(depth)}}`

test('the path is that of a body given as text too, and a byte order mark is not part of the body', async () => {
  const vectors = { status: 200, reason: { by: 'vectors' } }
  expect(await mock.explain({ body: JSON.stringify(input) })).toMatchObject(vectors)
  expect(await mock.explain({ body: `\uFEFF${JSON.stringify(input)}` })).toMatchObject(vectors)
  expect(await mock.explain({ body: 'no JSON' })).toMatchObject({ status: 400 })
})

test.each([
  ['Headers', new Headers({ 'X-Mock-Fault': 'overloaded' })],
  ['a Map', new Map([['X-Mock-Fault', 'overloaded']])],
  ['an object', { 'X-Mock-Fault': 'overloaded' }],
])('headers are read from %s', async (_, headers) => {
  expect(await mock.explain({ body, headers })).toMatchObject({ status: 503, reason: { by: 'fault' } })
})

test('a method is written as fetch writes it', async () => {
  expect(await mock.explain({ path: '/models', method: 'get' })).toMatchObject({ status: 200 })
  expect(await mock.explain({ body, method: 'post' })).toMatchObject({ status: 200 })
  expect(await mock.explain({ path: '/models', method: 'patch' })).toMatchObject({ status: 405 })
})

function canStringify(value: object): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

test('a body that is nested too deep is refused, as text and as an object', async () => {
  expect(await mock.explain({ body: nested(100_000) })).toMatchObject({ status: 400 })
  const deep = JSON.parse(nested(100_000)) as object
  const response = await fetch(`${server.controlUrl}/explain`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"body":${nested(100_000)}}`,
  })
  // From Node 26 on, JSON.stringify takes any depth: the call itself is then refused.
  if (canStringify(deep)) {
    expect(await mock.explain({ body: deep })).toMatchObject({ status: 400 })
    expect(await response.json()).toMatchObject({ status: 400 })
    return
  }
  await expect(mock.explain({ body: deep })).rejects.toSatisfy((error) => isMockError(error, 'invalid-option'))
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('expected body to be an object that JSON can hold')
})

const circular: Record<string, unknown> = {}
circular.self = circular

test.each([
  [{ body: circular }, 'expected body to be an object that JSON can hold, got an object (TypeError: '],
  [{ body: { seed: 1n } }, 'expected body to be an object that JSON can hold, got an object (TypeError: '],
  [{ body: { toJSON: () => undefined } }, 'got an object (JSON has no such value).'],
  [{ body: null }, 'expected body to be an object or a text, got null.'],
  [{ body: [] }, 'expected body to be an object or a text, got a list.'],
  [{ headers: null }, 'expected headers to be an object of texts, got null.'],
  [{ headers: [] }, 'expected headers to be an object of texts, got a list.'],
  [{ headers: { 'x-mock-fault': {} } }, "expected the header 'x-mock-fault' to be a text, got an object."],
  [{ headers: new Set(['x']) }, "expected headers to be an object of texts, got 'x'."],
  [{ method: '' }, "expected method to be a method of HTTP, such as 'POST', got ''."],
  [{ path: null }, 'expected path to be a text, got null.'],
  [{ transport: 'htp' }, "got 'htp'. Did you mean 'http'?"],
])('explain refuses a value that no call can have (%#)', async (request, message) => {
  await expect(mock.explain(request as object)).rejects.toMatchObject({
    code: 'invalid-option',
    message: expect.stringContaining(message),
  })
})

test('over HTTP, a call is explained up to the body limit of the mock', async () => {
  const long = { model: 'echo-1', messages: [{ role: 'user', content: 'word '.repeat(500_000) }] }
  expect((await post({ body: long })).status).toBe(200)
})
