/**
 * Attack: a page of another site, open in the same browser, sends requests to the control plane on this machine: it puts
 * in faults, switches the scenario, reads the journal.
 * Defence: a request that names another Origin, or that the browser says another site has caused, is refused; no answer
 * has a CORS header, and none may be taken for a script, a picture or a style.
 */
import { expect, test } from 'vitest'
import { CHAT_PATH, errorIn, fetchFrom, serve, stillAnswers } from '../support/http.ts'
import { attack, CONTROL_CALLS, isUntouched } from './attacker.ts'

test.each([
  'https://example.com',
  'http://127.0.0.1',
  'http://127.0.0.1:1',
  'http://localhost',
  'https://127.0.0.1',
  'http://127.0.0.1.example.com',
  'null',
  'file://',
  '',
])("a page of Origin '%s' is refused", async (origin) => {
  const server = await serve()
  for (const [method, path] of CONTROL_CALLS) {
    const answer = await attack(server, { method, path, headers: [`Origin: ${origin}`] })
    expect(answer.status).toBe(403)
    expect(errorIn(answer).message).toContain(`('${origin}')`)
  }
  isUntouched(server)
  await stillAnswers(server)
})

test.each(['cross-site', 'same-site', 'Cross-Site', 'SAME-SITE', 'cross-site, none', 'unheard-of'])(
  'a request that the browser marks as %s is refused',
  async (site) => {
    const server = await serve()
    for (const [method, path] of CONTROL_CALLS) {
      const answer = await attack(server, {
        method,
        path,
        headers: [`Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: no-cors'],
      })
      expect(answer.status).toBe(403)
      errorIn(answer)
    }
    isUntouched(server)
  },
)

test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a form, which a browser sends without asking first, is refused (%s)',
  async (type) => {
    const server = await serve()
    for (const [method, path] of CONTROL_CALLS.filter(([method]) => method === 'POST')) {
      const headers = ['Origin: https://example.com', `Content-Type: ${type}`]
      expect((await attack(server, { method, path, headers })).status).toBe(403)
    }
    isUntouched(server)
  },
)

test('no GET or HEAD changes anything', async () => {
  const server = await serve()
  for (const method of ['GET', 'HEAD']) {
    for (const path of ['/_mock/reset', '/_mock/faults?fault=500', '/_mock/scenario?scenario=outage', '/_mock/state']) {
      await fetchFrom(server, { method, path, key: '' })
    }
  }
  isUntouched(server)
})

test('a WebSocket from another site is refused by its Origin, because CORS does not apply to it', async () => {
  const server = await serve()
  const headers = ['Origin: https://example.com', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x']
  expect((await attack(server, { path: '/_mock/events', headers })).status).toBe(403)
})

test('an answer cannot be a script, image or style of another page, and its page cannot be framed', async () => {
  const server = await serve()
  for (const [method, path] of CONTROL_CALLS.filter(([, path]) => path !== '/_mock/events')) {
    const { headers } = await fetchFrom(server, { method, path, key: '', ...(method !== 'GET' && { body: {} }) })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
  const { headers } = await fetchFrom(server, { path: '/_mock/', headers: { accept: 'text/html' } })
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('the control plane never sends CORS headers', async () => {
  const server = await serve()
  const paths = [
    '/_mock',
    '/_mock/health',
    '/_mock/scenario',
    '/_mock/faults',
    '/_mock/journal',
    '/_mock/reset',
    '/_mock/nonsense',
  ]
  for (const path of paths) {
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      for (const origin of [server.origin, 'https://example.com']) {
        const headers = { origin, 'access-control-request-method': 'POST' }
        const answer = await fetchFrom(server, { path, method, headers })
        expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    }
  }
})

test("requests from the server's own page are accepted", async () => {
  const server = await serve()
  const host = `localhost:${server.port}`
  const headers = [`Origin: http://${host}`, 'Sec-Fetch-Site: same-origin']
  expect((await attack(server, { host, headers })).status).toBe(200)
  expect((await attack(server, { method: 'POST', path: '/_mock/faults', host, headers })).status).toBe(201)
})

test.each([['none'], ['same-origin'], ['same-site', 'Sec-Fetch-Mode: navigate']])(
  'a typed address and a link on a page of this machine are accepted (Sec-Fetch-Site: %s)',
  async (site, ...more) => {
    const server = await serve()
    expect((await attack(server, { headers: [`Sec-Fetch-Site: ${site}`, ...more] })).status).toBe(200)
  },
)

test('the data plane accepts pages of any origin, like the real service', async () => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: CHAT_PATH, headers: { origin: 'https://example.com' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})
