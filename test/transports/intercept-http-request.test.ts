/** Interception of clients that use node:http, such as axios: they read answers to the end, and may leave before it. */
import { type ClientRequest, type IncomingMessage, request as requestOverHttp } from 'node:http'
import https from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createMock, type Mock, type ScenarioInput } from '../../src/index.ts'
import { intercept } from '../../src/node.ts'

const BASE_URL = 'https://api.example.com/v1'
const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }

const bodyOf = (stream: boolean, model = 'echo-1'): string =>
  JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hello there!' }] })

function ask(stream: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = https.request(`${BASE_URL}/chat/completions`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve(text)).on('error', reject)
    })
    asked.on('error', reject)
    asked.end(bodyOf(stream))
  })
}

function intercepted(scenario: ScenarioInput | 'default', baseURL = BASE_URL): Mock {
  const mock = createMock(scenario, { baseURL })
  const interception = intercept(mock)
  onTestFinished(() => interception.close())
  return mock
}

test.each([false, true])('a client of node:https reads an answer to its end; a stream: %s', async (stream) => {
  intercepted('default')
  expect(await ask(stream)).toContain('Hello')
})

const ONE_AT_A_TIME: ScenarioInput = {
  description: 'One call at a time.',
  models: { 'echo-1': {}, 'slow-1': { endpoint: 'chat', pace: { firstToken: '1h' } } },
  limits: { concurrent: 1 },
}

/** Where a call waits when its client leaves. */
const WAITS = {
  'before an answer that never comes': { fault: 'hang', model: 'echo-1', stream: false },
  'before a late answer': { model: 'slow-1', stream: false },
  'in the middle of a stream': { fault: 'cut; after=2; end=stall', model: 'echo-1', stream: true },
} as const satisfies Record<string, { fault?: string; model: string; stream: boolean }>

const LEAVES: Record<string, (asked: ClientRequest, response: IncomingMessage | undefined) => void> = {
  'destroys its request': (asked) => asked.destroy(),
  'aborts its request': (asked) => asked.abort(),
  'destroys its request with an error': (asked) => asked.destroy(new Error('enough')),
  'destroys what it reads': (asked, response) => (response ?? asked).destroy(),
}

const cases = Object.keys(WAITS).flatMap((wait) =>
  Object.keys(LEAVES).flatMap((leave) => ['https', 'http'].map((scheme) => [scheme, leave, wait] as const)),
)

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await setTimeout(5)
}

const left = (mock: Mock): number => mock.calls({ outcome: 'client-left' }).length
/** The status of a next call, which leaves at once. */
async function nextStatus(mock: Mock, model: string): Promise<number> {
  const before = mock.journal.length
  const controller = new AbortController()
  const { signal } = controller
  const call = fetch(`${mock.baseURL}/chat/completions`, {
    method: 'POST',
    headers,
    body: bodyOf(false, model),
    signal,
  })
  await until(() => mock.journal.length > before)
  const { status } = mock.journal.at(-1)!
  controller.abort()
  await call.catch(() => {})
  return status
}

test.each(cases)('a client of node:%s that %s %s has left, and its slot is free', async (scheme, leave, wait) => {
  const baseURL = `${scheme}://api.example.com/v1`
  const mock = intercepted(ONE_AT_A_TIME, baseURL)
  const { model, stream, ...more } = WAITS[wait as keyof typeof WAITS]
  const fault = 'fault' in more ? { 'x-mock-fault': more.fault } : {}
  const request = scheme === 'https' ? https.request : requestOverHttp
  const asked = request(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, ...fault },
  })
  asked.on('error', () => {})
  asked.end(bodyOf(stream, model))
  const response = stream ? await new Promise<IncomingMessage>((resolve) => asked.on('response', resolve)) : undefined
  response?.on('error', () => {})
  if (response !== undefined) await new Promise((resolve) => response.once('data', resolve))
  await until(() => mock.journal.length === 1)
  expect(await nextStatus(mock, model)).toBe(429)
  LEAVES[leave]!(asked, response)
  await until(() => left(mock) === 1)
  expect(await nextStatus(mock, model)).toBe(200)
})

test('a client of node:https that ends its request after a time has left', async () => {
  const mock = intercepted(ONE_AT_A_TIME)
  const asked = https.request(`${BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { ...headers, 'x-mock-fault': 'hang' },
    signal: AbortSignal.timeout(20),
  })
  asked.on('error', () => {})
  asked.end(bodyOf(false))
  await until(() => left(mock) === 1)
})
