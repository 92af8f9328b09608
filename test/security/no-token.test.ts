/**
 * Attack: the server listens on an address that others reach, and somebody else's program uses its control plane.
 * Defence: beyond loopback, and on loopback if a token was set, every path of the control plane but its health needs the
 * token, as a header and in no other way. Beyond loopback and without a token it is closed to all, and the command line makes
 * one up that no seed tells.
 */
import { expect, test } from 'vitest'
import { errorIn, type Served, serve, stillAnswers } from '../support/http.ts'
import { attack, CONTROL_CALLS, isUntouched } from './attacker.ts'

const TOKEN = 'a-token-of-some-length'
const exposed = (token?: string, host = '0.0.0.0'): Promise<Served> =>
  serve('default', { listen: { host, ...(token !== undefined && { token }) } })
const withToken = (token: string): string[] => [`Authorization: Bearer ${token}`]

test('beyond loopback every path of the control plane but its health needs the token', async () => {
  const server = await exposed(TOKEN)
  for (const [method, path] of CONTROL_CALLS.filter(([, path]) => path !== '/_mock/health')) {
    const answer = await attack(server, { method, path })
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
  ['it twice', `${TOKEN}, ${TOKEN}`],
  ['nothing', ''],
  ['bytes beyond ASCII', '\xff\xfe'],
])('beyond loopback %s is not the token', async (_, token) => {
  const server = await exposed(TOKEN)
  expect((await attack(server, { headers: withToken(token) })).status).toBe(401)
})

test.each([
  ['in the query', `/_mock/journal?token=${TOKEN}`, []],
  ['as an access token of the query', `/_mock/journal?access_token=${TOKEN}`, []],
  ['in a cookie', '/_mock/journal', [`Cookie: token=${TOKEN}`]],
  ['in a header of its own', '/_mock/journal', [`X-Token: ${TOKEN}`, `X-Api-Key: ${TOKEN}`]],
  ['as Basic', '/_mock/journal', [`Authorization: Basic ${TOKEN}`]],
])('the token is not read %s', async (_, path, headers) => {
  expect((await attack(await exposed(TOKEN), { path, headers })).status).toBe(401)
})

test.each(['/_MOCK/journal', '/_mock//journal', '//_mock/journal', '/_mock/page/../journal', '/x/../_mock/journal'])(
  'no other spelling avoids the check: %s',
  async (path) => {
    const handlers = new URL('../server/control-plane/fixtures/handlers.mjs', import.meta.url).pathname
    for (const more of [{}, { handlers }]) {
      const server = await serve('default', { listen: { host: '0.0.0.0', token: TOKEN, ...more } })
      const answer = await attack(server, { path })
      // A handler of that path may answer: the control plane does not.
      if (answer.status === 200) expect(answer.text).toBe('stolen')
      else expect([400, 401, 404]).toContain(answer.status)
    }
  },
)

test('beyond loopback the token opens the control plane, under any Host', async () => {
  const server = await exposed(TOKEN)
  for (const host of ['127.0.0.1', 'mock.example.com', '10.0.0.1:4010']) {
    expect((await attack(server, { host, headers: withToken(TOKEN) })).status).toBe(200)
  }
})

test.each([undefined, ''])(
  'beyond loopback and without a token (%j), the control plane refuses everyone',
  async (token) => {
    const server = await exposed(token)
    for (const given of ['', 'undefined', 'null', 'x']) {
      expect((await attack(server, { headers: withToken(given) })).status).toBe(401)
    }
  },
)

test('an empty host, for which Node listens on all addresses, is beyond loopback', async () => {
  const server = await exposed(TOKEN, '')
  expect((await attack(server, {})).status).toBe(401)
})

test('beyond loopback a page of another origin is refused even with the token', async () => {
  const headers = [...withToken(TOKEN), 'Origin: https://example.com']
  expect((await attack(await exposed(TOKEN), { headers })).status).toBe(403)
})

test('beyond loopback the data plane needs no token', async () => {
  await stillAnswers(await exposed(TOKEN))
})

test.each([undefined, ''])('on loopback no token is needed if none was set (%j)', async (token) => {
  expect((await attack(await exposed(token, '127.0.0.1'), {})).status).toBe(200)
})

test('on loopback a token that was set is needed', async () => {
  const server = await exposed(TOKEN, '127.0.0.1')
  expect((await attack(server, {})).status).toBe(401)
  expect((await attack(server, { path: '/_mock/health' })).status).toBe(200)
  expect((await attack(server, { headers: withToken(TOKEN) })).status).toBe(200)
})

test('beyond loopback the health needs no token, and tells only that the mock runs', async () => {
  const answer = await attack(await exposed(TOKEN), { path: '/_mock/health' })
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { status: 'ok', scenario: 'default' }])
})
