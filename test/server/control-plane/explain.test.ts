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

test('the path is that of the body, unless it is given', async () => {
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
  [{ body: 5 }, 'Failed to explain: expected body to be an object or a text, got 5.'],
  [{ key: 5 }, 'Failed to explain: expected key to be a text, got 5.'],
  [{ transport: 'tcp' }, "expected transport to be 'http' or 'fetch', got tcp."],
])('%j is refused with a sentence that helps', async (request, message) => {
  const failed = await mock.explain(request as never).catch((error: unknown) => error)
  expect(isMockError(failed)).toBe(true)
  expect((failed as Error).message).toContain(message)
  const answer = await post(request)
  expect(answer.status).toBe(400)
  expect((await answer.json()).error.message).toContain(message)
})

test('over HTTP, a body that is not an object is refused with an example', async () => {
  const answer = await post([])
  expect(answer.status).toBe(400)
  expect((await answer.json()).error.message).toContain('Send JSON like {"body": ')
})
