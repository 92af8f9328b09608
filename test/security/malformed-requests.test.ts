/**
 * Attack: one request that is no request, to either plane, to the user's handlers or to the recorder, ends the process.
 * Defence: whatever is sent is answered in the envelope or closed; nothing is thrown that nobody catches.
 * (test/robustness has the same for the data plane in full.)
 */
import { expect, test } from 'vitest'
import { record, watched } from '../record/recording.ts'
import { expectNoStrays } from '../robustness/strays.ts'
import { errorIn, fetchFrom, requestText, type Served, serve, stillAnswers, Wire } from '../support/http.ts'

expectNoStrays()

const HANDLERS = new URL('../server/control-plane/fixtures/handlers.mjs', import.meta.url).pathname
const SERVERS: Record<string, () => Promise<Served>> = {
  'the server': () => serve(),
  "the server with a user's handlers": () => serve('default', { listen: { handlers: HANDLERS } }),
}

const TARGETS = [
  'http://[/_mock/health',
  'http://[::1/_mock/journal',
  'http://x:99999/_mock/journal',
  'http://%/_mock/journal',
  'HTTP://[/own/plain',
  'http:///_mock/health',
  'http://user:password@[/_mock/health',
  '/_mock/%',
  '/_mock/%E0%A4%A',
  '/_mock/page/%00',
  '/_mock/page/%E0%A4%A',
  '/_mock/journal/%E0',
  '/_mock/journal?user=%E0&user=/%E0/',
  '/_mock/journal?since=9e999',
  '/_mock/events/..',
  '/_mock#a',
  '//_mock/health',
  '///',
  '/own/%',
  '*',
  `/_mock/${'a/'.repeat(4000)}`,
  `/_mock/journal?${'status=200&'.repeat(1000)}`,
]

test.each(Object.keys(SERVERS))('%s answers every target, and with an error only in the envelope', async (name) => {
  const server = await SERVERS[name]!()
  for (const path of TARGETS) {
    for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']) {
      const wire = await Wire.open(server)
      await wire.send(requestText({ method, path, host: '127.0.0.1', headers: ['Connection: close'], body: null }))
      await wire.closed()
      const text = await wire.until('never')
      expect(text, `${method} ${path}`).toMatch(/^HTTP\/1\.1 [2-5]\d\d /)
      const status = Number(text.slice(9, 12))
      expect(status, `${method} ${path}: ${text}`).not.toBe(500)
      const body = text.slice(text.indexOf('\r\n\r\n') + 4)
      if (status >= 400 && method !== 'HEAD') errorIn({ json: JSON.parse(body), text: body })
    }
  }
  await stillAnswers(server)
})

test.each(['/_mock/faults', '/_mock/scenario', '/_mock/state', '/_mock/reset', '/own/echo'])(
  'malformed bodies sent to %s get an answer',
  async (path) => {
    const server = await serve('default', { listen: { handlers: HANDLERS } })
    const method = ['/_mock/scenario', '/_mock/state'].includes(path) ? 'PUT' : 'POST'
    const bodies = ['', '{', '[]', 'null', '"x"', '\0', '\ud800', '{"a":'.repeat(3000), '\uFEFF{}', '%', '--x\r\n\r\n']
    for (const body of bodies) {
      for (const type of [
        'application/json',
        'application/json; charset=utf-9',
        'text/plain; charset="',
        'a',
        '\xff',
      ]) {
        const { status } = await fetchFrom(server, { path, method, body, headers: { 'content-type': type } })
        expect(status).toBeLessThan(500)
      }
      const zipped = await fetchFrom(server, { path, method, body, headers: { 'content-encoding': 'gzip' } })
      expect(zipped.status).toBeLessThan(500)
    }
    await stillAnswers(server)
  },
)

test('garbage sent to the recorder is answered or closed, and the recorder continues', async () => {
  const { url } = await watched()
  const recording = await record(url)
  for (const bytes of [
    'GARBAGE\r\n\r\n',
    '\0\0\0\0',
    'GET http://[/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    '\x16\x03\x01',
  ]) {
    const wire = await Wire.open(recording)
    await wire.send(bytes)
    wire.socket.end()
    await wire.closed()
  }
  expect((await fetchFrom(recording)).status).toBe(200)
})
