/**
 * Attack: a page of attacker.example has its name resolved to 127.0.0.1, so that the browser takes the control plane for
 * a part of that page's own site. The Host of its requests gives it away.
 * Defence: on loopback the control plane, and the recorder whole, answer to the names of this machine only.
 */
import { expect, test } from 'vitest'
import { record, upstreamOf } from '../record/recording.ts'
import { errorIn, requestText, serve, stillAnswers, Wire } from '../support/http.ts'
import { attack, CONTROL_CALLS, isUntouched } from './attacker.ts'

test.each(['127.0.0.1', 'localhost', 'LOCALHOST', '127.8.9.10', '[::1]'])(
  'Host %s is this machine, with a port and without',
  async (host) => {
    const server = await serve()
    expect((await attack(server, { host })).status).toBe(200)
    expect((await attack(server, { host: `${host}:${server.port}` })).status).toBe(200)
  },
)

const FOREIGN = [
  'example.com',
  'example.com:4010',
  'localhost.example.com',
  'localhost.evil.com:4010',
  '127.0.0.1.example.com',
  '127.0.0.1.nip.io',
  '127.0.0.1@example.com',
  '127.0.0.1:80@example.com',
  'example.com:127.0.0.1',
  'mylocalhost',
  'localhost.',
  'localhost:',
  'localhost:4010:4010',
  '0.0.0.0',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '[::]',
  '[::ffff:10.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::1].example.com',
  '::1',
  '2130706433',
  '0x7f.1',
  '127.1',
  '127.999.0.1',
  '127.0.0.256',
  'ⓛocalhost',
  '',
  'a b',
]

test.each(FOREIGN)("Host '%s' is refused: a page whose name was rebound to this machine gets nothing", async (host) => {
  const server = await serve()
  for (const [method, path] of CONTROL_CALLS) {
    const answer = await attack(server, { method, path, host })
    expect(answer.status).toBe(403)
    expect(errorIn(answer)).toMatchObject({ type: 'request_forbidden', param: null, code: null })
  }
  isUntouched(server)
  await stillAnswers(server)
})

test('a request without a Host is refused, even with an address in its request line', async () => {
  const server = await serve()
  for (const target of ['/_mock/journal', 'http://localhost/_mock/journal']) {
    const wire = await Wire.open(server)
    await wire.send(`GET ${target} HTTP/1.1\r\n\r\n`)
    expect((await wire.answer())?.status).toBe(403)
  }
})

test('the name of this machine as Origin does not help a foreign Host', async () => {
  const server = await serve()
  const headers = ['Origin: http://localhost', 'Sec-Fetch-Site: same-origin']
  expect((await attack(server, { host: 'example.com', headers })).status).toBe(403)
})

test.each(FOREIGN)("the recorder forwards no call for the Host '%s'", async (host) => {
  let calls = 0
  const upstream = await upstreamOf((_, response) => {
    calls++
    response.end('{}')
  })
  const wire = await Wire.open(await record(upstream))
  await wire.send(requestText({ host, body: '{}' }))
  expect([400, 403]).toContain((await wire.answer())!.status)
  expect(calls).toBe(0)
})

const HOSTS = [
  ['127.0.0.1', 'example.com'],
  ['example.com', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
] as const

test.each(HOSTS)(
  'two Host headers (%s, %s) are a 400 on every path, and the connection is closed',
  async (first, second) => {
    const server = await serve()
    for (const path of ['/v1/models', '/_mock/journal', '/']) {
      const wire = await Wire.open(server)
      await wire.send(
        `GET ${path} HTTP/1.1\r\nHost: ${first}\r\nhOST: ${second}\r\nAuthorization: Bearer sk-test\r\n\r\n`,
      )
      const answer = await wire.answer()
      expect(answer?.status).toBe(400)
      expect(errorIn(answer!).message).toBe('The request has more than one Host header. Send exactly one.')
      await wire.closed()
    }
    expect(server.mock.journal).toEqual([])
    await stillAnswers(server)
  },
)

test('two Host headers are a 400 of the recorder', async () => {
  const wire = await Wire.open(await record(await upstreamOf((_, response) => response.end('{}'))))
  await wire.send(requestText({ headers: ['Host: 127.0.0.1'], body: '{}' }))
  expect((await wire.answer())?.status).toBe(400)
})
