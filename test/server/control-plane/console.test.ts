/** What the page at /_mock/ is made of: its files, the event stream, one call opened, limits, catalogue, scenario texts. */

import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { readEvents, readTexts } from '../../../src/console/app/control-api.ts'
import type { CallDetails } from '../../../src/core/journal/call-details.ts'
import { faults } from '../../../src/core/protocol/faults/fault-catalogue.ts'
import { parseScenario } from '../../../src/core/scenario/yaml/parse-scenario.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { builtInScenarios } from '../../../src/generated/built-in.ts'
import { createMock } from '../../../src/index.ts'
import { EventStream } from '../../../src/server/events/event-stream.ts'
import { expectNoStrays } from '../../robustness/strays.ts'
import {
  EMBEDDINGS_PATH,
  errorIn,
  fetchFrom,
  HELLO,
  type HttpCall,
  type Served,
  serve,
  stillAnswers,
  TEXT,
} from '../../support/http.ts'

expectNoStrays()

const VIEWS_FILE = new URL('../../../src/console/mock-page.tsx', import.meta.url)
const EVENTS = '/_mock/events'
const HTML = { headers: { accept: 'text/html' }, key: '' }
const TOKEN = 'a-token-of-some-length'
const exposed = (): Promise<Served> => serve('default', { listen: { host: '0.0.0.0', token: TOKEN } })

// The page's files

test("the page's policy allows no foreign resources and no inline scripts", async () => {
  const server = await serve()
  for (const path of ['/_mock', '/_mock/']) {
    const { status, text, headers } = await fetchFrom(server, { path, ...HTML })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(text).toContain('<title>llm-api-mock</title>')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  }
})

test('the page loads its own files only, and no other file of the machine is served', async () => {
  const server = await serve()
  const { text } = await fetchFrom(server, { path: '/_mock/', ...HTML })
  const paths = [...text.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map((match) => match[1]!)
  expect(paths).toEqual(['/_mock/page/icon.svg', '/_mock/page/page.css', '/_mock/page/main.js'])
  expect(text).not.toMatch(/<script>|<style|\son\w+=|style="|https?:/)
  const css = await fetchFrom(server, { path: '/_mock/page/page.css' })
  expect([css.status, css.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  for (const path of ['..%2fnode.ts', '%2e%2e/node.ts', '..%5c..%5cpackage.json', '%00', '', '.git/config']) {
    expect((await fetchFrom(server, { path: `/_mock/page/${path}` })).status).toBeGreaterThanOrEqual(400)
  }
})

test('the page is at the addresses of its views too, for clients that prefer HTML', async () => {
  const server = await serve()
  const names = [...readFileSync(VIEWS_FILE, 'utf8').matchAll(/name: '(\w+)', title/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(3)
  for (const path of [...names, 'calls/17', 'calls/17/timeline']) {
    const { status, text, headers } = await fetchFrom(server, { path: `/_mock/${path}`, ...HTML })
    expect([path, status, headers.get('vary')]).toEqual([path, 200, 'accept'])
    expect(text).toContain('<title>llm-api-mock</title>')
  }
  const answer = await fetchFrom(server, { path: '/_mock/faults' })
  expect([answer.json, answer.headers.get('vary')]).toEqual([{ faults: [] }, 'accept'])
})

test('a client that does not accept HTML gets the list of routes', async () => {
  const server = await serve()
  const { json } = await fetchFrom(server, { path: '/_mock/' })
  expect(json.see).toContain('GET /_mock/events')
})

test('beyond loopback, the page is served to enter the token, and its data needs the token', async () => {
  const server = await exposed()
  expect((await fetchFrom(server, { path: '/_mock/', ...HTML })).status).toBe(200)
  for (const path of [EVENTS, '/_mock/journal/1', '/_mock/limits', '/_mock/faults/catalogue', '/_mock/scenarios']) {
    expect((await fetchFrom(server, { path, key: '' })).status).toBe(401)
    expect((await fetchFrom(server, { path, key: 'wrong' })).status).toBe(401)
  }
  expect((await fetchFrom(server, { path: '/_mock/limits', key: TOKEN })).status).toBe(200)
})

test('the new routes take no method but GET', async () => {
  const server = await serve()
  for (const path of [EVENTS, '/_mock/journal/1', '/_mock/limits', '/_mock/faults/catalogue', '/_mock/scenarios']) {
    const answer = await fetchFrom(server, { path, method: 'POST' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET'])
    errorIn(answer)
  }
})

// The event stream

/** Follows the event stream: each call of the function gives the next event that fits. */
async function follow(server: Served, key = '') {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` }
  const response = await fetch(server.origin + EVENTS, { headers, signal: leaving.signal })
  // Node cancels the body of a response that is collected before it is read.
  onTestFinished(() => void response)
  const events = readEvents(readTexts(response.body!))
  const next = async (isWanted: (name: string, data: Event) => boolean): Promise<Event> => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) throw new Error('The stream has ended.')
      if (isWanted(value.name, value.data as Event)) return value.data as Event
    }
  }
  return { response, next, leave: () => leaving.abort() }
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into events freely
type Event = any

const isCall =
  (number: number, outcome?: string) =>
  (name: string, data: Event): boolean =>
    name === 'call' && data.number === number && (outcome === undefined || data.outcome === outcome)

test('a watcher gets the time, the active scenario and the earlier calls', async () => {
  const server = await serve('incident')
  await fetchFrom(server)
  const { response, next } = await follow(server)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await next((name) => name === 'hello')).toEqual({ now: expect.any(Number), time: expect.any(Number) })
  expect(await next((name) => name === 'status')).toEqual({
    scenario: 'incident',
    revision: 1,
    fileRevision: 0,
    state: 'healthy',
    states: ['healthy', 'degraded', 'down', 'recovering'],
    exampleKey: 'sk-test',
    injected: [],
  })
  expect(await next(isCall(1))).toMatchObject({ number: 1, status: 200, outcome: 'complete' })
})

test('a watcher gets an event when a call begins and when it ends', async () => {
  const server = await serve()
  const { next } = await follow(server)
  const leaving = new AbortController()
  const hanging = fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk-test-abcdefghijkl',
      'content-type': 'application/json',
      'x-mock-fault': 'hang',
    },
    body: JSON.stringify(HELLO),
    signal: leaving.signal,
  }).catch(() => {})
  expect(await next(isCall(1))).toMatchObject({
    number: 1,
    endpoint: 'chat',
    prompt: 'Hello there!',
    key: 'sk-test-****ijkl',
    status: 0,
    reason: { by: 'fault', name: 'hang (header)' },
    outcome: 'open',
  })
  leaving.abort()
  await hanging
  expect(await next(isCall(1, 'client-left'))).not.toHaveProperty('body')
})

test('a connection with nothing to tell is kept alive', async () => {
  const mock = createMock()
  const app = express()
  const stream = new EventStream(engineOf(mock), new AbortController().signal, 5)
  app.get('/', (_, response) => stream.watch(response, engineOf(mock).view))
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await new Promise((resolve) => server.once('listening', resolve))
  const { body } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  let text = ''
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (/(: heartbeat\n\n){2}/.test(text)) break
  }
  expect(text).toMatch(/^event: hello\n/)
})

test('a call with any body to an unknown path is shown and does no harm', async () => {
  const server = await watched()
  const { next } = await follow(server)
  for (const body of ['no JSON', '[1]', '{"a":1}']) await fetchFrom(server, { path: '/v1/foo', body })
  expect(await next(isCall(3))).toMatchObject({ status: 404, path: '/v1/foo' })
  for (const number of [1, 2, 3]) expect((await opened(server, number)).json).not.toHaveProperty('body')
  expect(server.mock.journal).toHaveLength(3)
})

test('a summary has the beginning of the prompt', async () => {
  const server = await serve()
  const { next } = await follow(server)
  const ask = async (body: object, path?: string): Promise<string> => {
    await fetchFrom(server, { body, ...(path !== undefined && { path }) })
    return (await next((name) => name === 'call')).prompt
  }
  expect(await ask({ ...HELLO, messages: [{ role: 'user', content: 'x'.repeat(5000) }] })).toBe('x'.repeat(200))
  await expect.poll(() => server.mock.journal.at(-1)?.outcome).toBe('complete')
})

test('the active scenario is sent again when it changes', async () => {
  const server = await serve()
  const { next } = await follow(server)
  await next((name) => name === 'status')
  server.mock.inject('overloaded', { times: 2 })
  expect(await next((name) => name === 'status')).toMatchObject({
    injected: [{ fault: 'overloaded', remaining: 2 }],
  })
  server.mock.use('incident')
  expect(await next((name) => name === 'status')).toMatchObject({ scenario: 'incident', revision: 2, injected: [] })
  server.mock.enter('down')
  expect(await next((name) => name === 'status')).toMatchObject({ revision: 2, state: 'down' })
})

test('a watcher gets what the mock is doing now, and again when that changes', async () => {
  const server = await serve('rate-limited')
  const { next } = await follow(server)
  expect(await next((name) => name === 'now')).toMatchObject({ state: null, limits: [], findings: [] })
  for (let count = 0; count < 5; count++) await fetchFrom(server)
  const { limits, findings } = await next((name, { findings: found }) => name === 'now' && found.length > 0)
  expect(limits[0].limits[0]).toMatchObject({ kind: 'requests', limit: 3, used: 3 })
  expect(findings.map(({ name }: Event) => name)).toContain('early-retry')
})

test('calls that the journal drops before they are sent are counted, and the newest are sent first', async () => {
  const server = await serve()
  const { next } = await follow(server)
  await next((name) => name === 'status')
  const begin = (): void => {
    engineOf(server.mock).begin({
      method: 'POST',
      path: '/v1/foo',
      transport: 'http',
      headers: {},
      body: '',
      bodyLimit: 1,
      now: server.mock.clock.now(),
    })
  }
  for (let count = 0; count < 5000; count++) begin()
  await next(isCall(5000))
  let missed = 0
  // The journal keeps a thousand calls.
  while (missed < 4000) missed += (await next((name) => name === 'missed')).calls
  expect(missed).toBe(4000)
})

test('the stream ends when the server closes, and does not keep it open', async () => {
  const server = await serve()
  const { next } = await follow(server)
  await next((name) => name === 'status')
  const closing = server.close(600_000)
  await expect(next(() => false)).rejects.toThrow('The stream has ended.')
  await closing
})

test('the number of watchers is bounded, and one that leaves makes room', async () => {
  const server = await serve()
  const watchers = await Promise.all(Array.from({ length: 20 }, () => follow(server)))
  expect((await fetchFrom(server, { path: EVENTS })).status).toBe(503)
  for (const { leave } of watchers) leave()
  await expect
    .poll(async () => {
      const { response, leave } = await follow(server)
      leave()
      return response.status
    })
    .toBe(200)
  await stillAnswers(server)
})

test('beyond loopback the token opens the stream', async () => {
  const server = await exposed()
  const { next } = await follow(server, TOKEN)
  expect(await next((name) => name === 'status')).toMatchObject({ scenario: 'default' })
})

// One call

const opened = async (server: Served, number: number | string) =>
  fetchFrom(server, { path: `/_mock/journal/${number}`, key: '' })

/** A server whose control plane is up: from then on it keeps what a call was answered. */
async function watched(...args: Parameters<typeof serve>): Promise<Served> {
  const server = await serve(...args)
  await fetchFrom(server, { path: '/_mock/health' })
  return server
}

test('the details of a call have its request, answer and timeline', async () => {
  const server = await watched({ description: 'A test.', pace: { firstToken: '20ms' } })
  await fetchFrom(server, { body: { ...HELLO, stream: true } })
  const { json } = await opened(server, 1)
  expect(json).toMatchObject({
    number: 1,
    endpoint: 'chat',
    user: 'Hello there!',
    body: { ...HELLO, stream: true },
    status: 200,
    reason: { by: 'echo', name: 'echo' },
    outcome: 'complete',
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    isWhole: true,
  })
  const types = json.timeline.map(({ type }: Event) => type)
  expect(types.filter((type: string) => type !== 'send')).toEqual(['wait', 'head', 'end'])
  const last = json.timeline.at(-2)
  expect(last).toEqual({ type: 'send', bytes: 14, data: 'data: [DONE]\n\n', atMs: expect.any(Number) })
})

test('an embeddings call and a call to an unknown path have details too', async () => {
  const server = await watched()
  await fetchFrom(server, { path: EMBEDDINGS_PATH, body: { ...TEXT, input: ['one', 'two'] } })
  await fetchFrom(server, { path: '/v1/foo', body: HELLO })
  expect((await opened(server, 1)).json).toMatchObject({ endpoint: 'embeddings', prompt: 'one (and 1 more)', user: '' })
  const { json } = await opened(server, 2)
  expect(json).toMatchObject({ path: '/v1/foo', endpoint: 'unknown', status: 404 })
})

test('bytes are counted as bytes', async () => {
  const server = await watched({ description: 'A test.', replies: [{ say: 'Grüße 👋' }] })
  const { text } = await fetchFrom(server)
  const { timeline } = (await opened(server, 1)).json
  expect(timeline[1]).toMatchObject({ type: 'send', bytes: Buffer.byteLength(text), data: text })
})

test.each(['0', '-1', '1.5', 'x', '1e3', '99', '999999999999999999', '__proto__', '%00'])(
  'call %s does not exist, and the answer says so',
  async (number) => {
    const server = await watched()
    await fetchFrom(server)
    const answer = await opened(server, number)
    expect(answer.status).toBe(404)
    expect(errorIn(answer).message).toContain('The journal has no call')
  },
)

test('a call is found by its number until the journal drops it', async () => {
  const server = await watched()
  for (let count = 0; count < 2500; count++) await fetchFrom(server, { path: '/v1/foo', body: '' })
  expect((await opened(server, 1500)).status).toBe(404)
  expect((await opened(server, 1501)).json).toMatchObject({ number: 1501, status: 404 })
  expect((await opened(server, 2500)).json).toMatchObject({ number: 2500, timeline: expect.any(Array) })
}, 60_000)

test('the details of a call have all of a stream of 3,000 tokens, which the list of calls does not', async () => {
  const content = 'word '.repeat(3000)
  const server = await watched()
  const { text } = await fetchFrom(server, { body: { ...HELLO, stream: true, messages: [{ role: 'user', content }] } })
  expect(text.length).toBeGreaterThan(500_000)
  const answer = await opened(server, 1)
  const { isWhole, timeline } = answer.json as CallDetails
  expect(isWhole).toBe(true)
  expect(timeline!.map((step) => ('bytes' in step ? step.data : '')).join('')).toBe(text)
  const { next } = await follow(server)
  expect(JSON.stringify(await next(isCall(1, 'complete'))).length).toBeLessThan(2000)
}, 30_000)

const SECRET = 'sk-proj-abcdefghijklmnopqrstuvwxyz'
const escaped = `{"model":"echo-1","messages":[{"role":"user","content":"I am \\u0073${SECRET.slice(1)} you know"}]}`
const repeating = { ...HELLO, stream: true, messages: [{ role: 'user', content: `I am ${SECRET}, you know` }] }

test.each<[string, HttpCall]>([
  ['in the message', { body: repeating }],
  ['escaped', { body: escaped }],
  ['in the path', { path: `/v1/${SECRET}`, body: HELLO }],
  ['as the model', { body: { ...HELLO, model: SECRET } }],
])('a key that a call contains %s is not sent to the page', async (_, asked) => {
  const server = await watched({ description: 'A test.', limits: { requests: '5 per minute' } })
  const { next } = await follow(server)
  await fetchFrom(server, { ...asked, key: SECRET })
  const told = JSON.stringify(await next(isCall(1, 'complete')))
  const limits = (await fetchFrom(server, { path: '/_mock/limits' })).text
  const { text, json } = await opened(server, 1)
  for (const each of [told, limits, text]) expect(each).not.toContain(SECRET)
  const sent = json.timeline.map(({ data = '' }: Event) => data).join('')
  expect(sent.replace(/data: .*?"content":"([^"]*)".*?\n\n/g, '$1')).not.toContain(SECRET)
})

// Limits, catalogue, scenarios

test('limits are listed for each used key, masked, the fullest first', async () => {
  const server = await serve({
    description: 'A test.',
    limits: { requests: '10 per hour', tokens: '1000 per hour' },
    keys: { 'sk-a-1234567890': {}, 'sk-b-1234567890': { limits: { requests: '2 per hour' } }, 'sk-c-1234567890': {} },
  })
  await fetchFrom(server, { key: 'sk-a-1234567890' })
  await fetchFrom(server, { key: 'sk-b-1234567890' })
  const { keys } = (await fetchFrom(server, { path: '/_mock/limits' })).json
  expect(keys.map(({ key }: Event) => key)).toEqual(['sk-b-123****7890', 'sk-a-123****7890'])
  expect(keys[0].limits).toEqual([
    { kind: 'requests', limit: 2, used: 1, freeInMs: 0, window: 'hour' },
    { kind: 'tokens', limit: 1000, used: expect.any(Number), freeInMs: 0, window: 'hour' },
  ])
})

test('model limits and concurrency limits have gauges too', async () => {
  const server = await serve({
    description: 'A test.',
    limits: { concurrent: 2 },
    models: { 'echo-*': { limits: { requests: '5 per day' } }, other: {} },
  })
  await fetchFrom(server)
  const { keys } = (await fetchFrom(server, { path: '/_mock/limits' })).json
  expect(keys[0].limits).toEqual([
    { kind: 'concurrent', limit: 2, used: 0 },
    { kind: 'requests', limit: 5, used: 1, freeInMs: 0, window: 'day', model: 'echo-*' },
  ])
})

test('without limits there are no gauges', async () => {
  const server = await serve()
  await fetchFrom(server)
  expect((await fetchFrom(server, { path: '/_mock/limits' })).json).toEqual({ keys: [] })
})

test('the catalogue has every fault with its options, and every endpoint', async () => {
  const server = await serve()
  const { json } = await fetchFrom(server, { path: '/_mock/faults/catalogue' })
  expect(json.faults.map(({ name }: Event) => name)).toEqual(faults.map(({ name }) => name))
  expect(json.endpoints).toEqual(['chat', 'responses', 'input-tokens', 'embeddings'])
  expect(json.faults.find(({ name }: Event) => name === 'rate-limit')).toEqual({
    name: 'rate-limit',
    kind: 'answer',
    summary: expect.any(String),
    options: { retryAfter: expect.objectContaining({ kind: 'duration', default: 1000 }) },
  })
})

test('every built-in scenario can be switched to, and its text is a scenario that is the same', async () => {
  const server = await serve()
  const { scenarios } = (await fetchFrom(server, { path: '/_mock/scenarios' })).json
  expect(scenarios.map(({ name }: Event) => name)).toEqual(Object.keys(builtInScenarios))
  for (const { name, description } of scenarios) {
    const { json } = await fetchFrom(server, { path: '/_mock/scenario', method: 'PUT', body: { scenario: name } })
    expect(json.description).toBe(description)
    expect(parseScenario(json.text, 'body')).toEqual(builtInScenarios[name as keyof typeof builtInScenarios])
  }
})

test('a scenario that is edited keeps its name, with a word that says so', async () => {
  const server = await serve()
  const edit = async (text: string): Promise<string> => {
    const path = '/_mock/scenario?edited=true'
    return (await fetchFrom(server, { path, method: 'PUT', body: text })).json.name
  }
  const text = (await fetchFrom(server, { path: '/_mock/scenario' })).json.text as string
  expect(await edit(text)).toBe('default (edited)')
  expect(await edit(`# Again.\n${text}`)).toBe('default (edited)')
})

test('the active scenario is returned as it was written, with its comments', async () => {
  const server = await serve()
  const text = '# Mine.\ndescription:   Mine.   # so far\n'
  const put = await fetchFrom(server, { path: '/_mock/scenario', method: 'PUT', body: text })
  expect(put.json.text).toBe(text)
  expect((await fetchFrom(server, { path: '/_mock/scenario' })).json.text).toBe(text)
  expect(put.json.name).toBe('over the control plane')
  server.mock.use('default')
  expect((await fetchFrom(server, { path: '/_mock/scenario' })).json.text).toMatch(/^description: Accepts any key/)
})
