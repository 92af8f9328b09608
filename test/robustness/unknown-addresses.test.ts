/** Addresses that are no endpoint: people are led to the page, and clients of the API get the error of the service. */
import { expect, test } from 'vitest'
import { loadScenario } from '../../src/node.ts'
import { CHAT_PATH, errorIn, fetchFrom, HELLO, requestText, serve, Wire } from '../support/http.ts'

const HANDLERS = new URL('../server/control-plane/fixtures/handlers.mjs', import.meta.url).pathname
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const SERVERS = { 'without handlers': {}, 'with handlers': { listen: { handlers: HANDLERS } } }

test.each(Object.entries(SERVERS))('%s, GET / leads a browser to the page', async (_, options) => {
  const server = await serve('default', options)
  const page = await fetchFrom(server, { path: '/', key: '', headers: BROWSER })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const wire = await Wire.open(server)
  await wire.send(requestText({ method: 'GET', path: '/', headers: ['Accept: text/html'], body: null }))
  const answer = await wire.answer()
  expect(answer?.status).toBe(303)
  expect(server.mock.journal).toEqual([])
})

test.each(Object.entries(SERVERS))('%s, the 404 outside /v1 names the page', async (_, options) => {
  const server = await serve('default', options)
  const messageOf = async (path: string) => errorIn(await fetchFrom(server, { path, method: 'GET' })).message
  expect(await messageOf('/')).toMatch(/^Invalid URL \(GET \/\)\..* The page of this mock is at \/_mock\/\.$/)
  expect(await messageOf('/some-page')).toBe('Invalid URL (GET /some-page). The page of this mock is at /_mock/.')
})

test('a 404 outside /v1 that resembles an endpoint names both', async () => {
  const { message } = errorIn(await fetchFrom(await serve(), { path: '/chat/completions', body: HELLO }))
  expect(message).toBe(
    'Invalid URL (POST /chat/completions). Did you mean POST /v1/chat/completions? The page of this mock is at /_mock/.',
  )
})

test('the 404 of a path below /v1 is the one of the service', async () => {
  const { message } = errorIn(await fetchFrom(await serve(), { path: '/v1/foo', body: HELLO }))
  expect(message).toBe('Invalid URL (POST /v1/foo)')
})

test.each([
  ['404', '/v1/foo', 'POST'],
  ['405', CHAT_PATH, 'PUT'],
])('the request id of a %s depends on the body', async (status, path, method) => {
  const server = await serve()
  const ask = async (body: string) => {
    const answer = await fetchFrom(server, { path, method, body })
    expect(answer.status).toBe(Number(status))
    return answer.headers.get('x-request-id')
  }
  const first = await ask('{"a":1}')
  expect(await ask('{"a":2}')).not.toBe(first)
  server.mock.reset()
  expect(await ask('{"a":1}')).toBe(first)
})

test('a head that is too large is a 431 that says so', async () => {
  const server = await serve()
  const wire = await Wire.open(server)
  await wire.send(requestText({ headers: [`X-Junk: ${'x'.repeat(100_000)}`] }))
  const answer = await wire.answer()
  expect(answer?.status).toBe(431)
  expect(errorIn(answer!).message).toBe(
    'The head of the request is too large. Expected at most 16384 bytes for the request line and all headers.',
  )
})

test('x-mock-scenario is the same for a scenario in code, from a file and over the control plane', async () => {
  const headers = { 'x-mock-explain': '1' }
  const inCode = await serve({ description: 'A test.' })
  const sent = await serve()
  await fetchFrom(sent, { path: '/_mock/scenario', method: 'PUT', body: 'description: A test.\n' })
  const fromFile = await serve()
  const path = new URL('../../scenarios/flaky.yaml', import.meta.url).pathname
  fromFile.mock.use(await loadScenario(path))
  for (const server of [inCode, sent, fromFile]) {
    expect((await fetchFrom(server, { headers })).headers.get('x-mock-scenario')).toBe('custom')
  }
  expect((await fetchFrom(await serve('slow'), { headers, path: '/v1/models' })).headers.get('x-mock-scenario')).toBe(
    'slow',
  )
})
