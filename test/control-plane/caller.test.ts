/** Who may use the control plane: this machine's own programs and pages, and beyond loopback who has the token. */
import { expect, test } from 'vitest'
import {
  CHAT_PATH,
  call,
  errorIn,
  requestText,
  type Served,
  serve,
  stillAnswers,
  Wire,
  type WireAnswer,
} from '../support/http.ts'

const PATHS = [
  ['GET', '/_mock'],
  ['GET', '/_mock/health'],
  ['GET', '/_mock/scenario'],
  ['PUT', '/_mock/scenario'],
  ['POST', '/_mock/faults'],
  ['DELETE', '/_mock/faults'],
  ['GET', '/_mock/journal'],
  ['GET', '/_mock/journal/1'],
  ['GET', '/_mock/events'],
  ['GET', '/_mock/limits'],
  ['GET', '/_mock/faults/catalogue'],
  ['POST', '/_mock/reset'],
  ['GET', '/_mock/nonsense'],
] as const

/** One call with a Host and headers that fetch would not send. */
async function ask(
  server: Served,
  method: string,
  path: string,
  host: string,
  headers: readonly string[] = [],
): Promise<WireAnswer> {
  const wire = await Wire.open(server)
  const body = path === '/_mock/scenario' ? '{"scenario":"outage"}' : '{"fault":500}'
  await wire.send(requestText({ method, path, host, headers, body }).replace('Authorization: Bearer sk-test\r\n', ''))
  const answer = await wire.answer()
  expect(answer).toBeDefined()
  return answer!
}

const health = (server: Served, host: string, headers: readonly string[] = []): Promise<WireAnswer> =>
  ask(server, 'GET', '/_mock/health', host, headers)

/** Nothing that was asked has come to pass. */
function isUntouched({ mock }: Served): void {
  expect(mock.injected).toEqual([])
  expect(mock.scenario.name).toBe('default')
}

test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '127.8.9.10', '[::1]'])(
  'Host %s is this machine, with a port and without',
  async (host) => {
    const server = await serve()
    expect((await health(server, host)).status).toBe(200)
    expect((await health(server, `${host}:${server.port}`)).status).toBe(200)
  },
)

test.each([
  'example.com',
  'example.com:4010',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '127.0.0.1@example.com',
  'example.com:127.0.0.1',
  'mylocalhost',
  'localhost.',
  '0.0.0.0',
  '10.0.0.1',
  '192.168.0.1',
  '[::]',
  '[::ffff:10.0.0.1]',
  '2130706433',
  '0x7f.1',
  '',
  'a b',
])("Host '%s' is not: a page that has bent its name to this machine gets nothing", async (host) => {
  const server = await serve()
  for (const [method, path] of PATHS) {
    const answer = await ask(server, method, path, host)
    expect(answer.status).toBe(403)
    expect(errorIn(answer)).toMatchObject({ type: 'request_forbidden', param: null, code: null })
  }
  isUntouched(server)
  await stillAnswers(server)
})

test.each([
  'https://example.com',
  'http://127.0.0.1',
  'http://127.0.0.1:1',
  'http://localhost',
  'https://127.0.0.1',
  'null',
  'file://',
  '',
])("a page of Origin '%s' is refused", async (origin) => {
  const server = await serve()
  for (const [method, path] of PATHS) {
    const answer = await ask(server, method, path, `127.0.0.1:${server.port}`, [`Origin: ${origin}`])
    expect(answer.status).toBe(403)
    expect(errorIn(answer).message).toContain(`('${origin}')`)
  }
  isUntouched(server)
  await stillAnswers(server)
})

test("the server's own page is welcome", async () => {
  const server = await serve()
  const host = `localhost:${server.port}`
  const headers = [`Origin: http://${host}`, 'Sec-Fetch-Site: same-origin']
  expect((await health(server, host, headers)).status).toBe(200)
  expect((await ask(server, 'POST', '/_mock/faults', host, headers)).status).toBe(201)
})

test('a request that a page of another site caused is refused, though it names no Origin', async () => {
  const server = await serve()
  for (const [method, path] of PATHS) {
    const answer = await ask(server, method, path, `127.0.0.1:${server.port}`, ['Sec-Fetch-Site: cross-site'])
    expect(answer.status).toBe(403)
    errorIn(answer)
  }
  isUntouched(server)
})

test.each(['none', 'same-origin'])('Sec-Fetch-Site: %s is no page of another site', async (site) => {
  const server = await serve()
  expect((await health(server, '127.0.0.1', [`Sec-Fetch-Site: ${site}`])).status).toBe(200)
})

test('the data plane is open to pages of any origin, as the real service is', async () => {
  const server = await serve()
  const answer = await call(server, { path: CHAT_PATH, headers: { origin: 'https://example.com' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})

// Beyond loopback

const TOKEN = 'a-token-of-some-length'
const exposed = (token?: string): Promise<Served> =>
  serve('default', { listen: { host: '0.0.0.0', ...(token !== undefined && { token }) } })
const withToken = (token: string): string[] => [`Authorization: Bearer ${token}`]

test('beyond loopback every path of the control plane needs the token', async () => {
  const server = await exposed(TOKEN)
  for (const [method, path] of PATHS) {
    const answer = await ask(server, method, path, `127.0.0.1:${server.port}`)
    expect(answer.status).toBe(401)
    expect(errorIn(answer).message).toContain('Authorization: Bearer <token>')
    expect(answer.text).not.toContain(TOKEN)
  }
  isUntouched(server)
  await stillAnswers(server)
})

test.each([
  ['another one', 'another-token-of-len'],
  ['the beginning of it', TOKEN.slice(0, -1)],
  ['more than it', `${TOKEN}x`],
  ['it in capitals', TOKEN.toUpperCase()],
  ['nothing', ''],
  ['bytes beyond ASCII', '\xff\xfe'],
])('beyond loopback %s is not the token', async (_, token) => {
  const server = await exposed(TOKEN)
  expect((await health(server, '127.0.0.1', withToken(token))).status).toBe(401)
})

test('beyond loopback the token opens the control plane, under any Host', async () => {
  const server = await exposed(TOKEN)
  for (const host of ['127.0.0.1', 'mock.example.com', '10.0.0.1:4010']) {
    expect((await health(server, host, withToken(TOKEN))).status).toBe(200)
  }
})

test.each([undefined, ''])(
  'beyond loopback and without a token (%j) the control plane is closed to all',
  async (token) => {
    const server = await exposed(token)
    for (const given of ['', 'undefined', 'null', 'x']) {
      expect((await health(server, '127.0.0.1', withToken(given))).status).toBe(401)
    }
  },
)

test('beyond loopback a page of another origin is refused even with the token', async () => {
  const server = await exposed(TOKEN)
  const answer = await health(server, `127.0.0.1:${server.port}`, [...withToken(TOKEN), 'Origin: https://example.com'])
  expect(answer.status).toBe(403)
})

test('beyond loopback the data plane asks for no token', async () => {
  const server = await exposed(TOKEN)
  await stillAnswers(server)
})

test('on loopback a token is not asked for', async () => {
  const server = await serve('default', { listen: { token: TOKEN } })
  expect((await health(server, '127.0.0.1')).status).toBe(200)
})
