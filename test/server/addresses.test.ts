/** Addresses of a server: health probes, base paths, and requests to switch to HTTP/2. */
import { describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { CHAT_PATH, errorIn, fetchFrom, HELLO, requestText, serve, Wire } from '../support/http.ts'

const HANDLERS = new URL('control-plane/fixtures/handlers.mjs', import.meta.url).pathname

describe.each(['/health', '/ready'])('%s', (path) => {
  test.each([{}, { host: '0.0.0.0', token: 'secret' }, { handlers: HANDLERS }])(
    'answers any Host without a token (%o)',
    async (listening) => {
      const server = await serve('incident', { listen: listening })
      for (const [method, host] of [
        ['GET', 'mock.internal:8080'],
        ['HEAD', 'evil.example.com'],
        ['GET', '127.0.0.1'],
      ]) {
        const wire = await Wire.open(server)
        await wire.send(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
        const answer = await wire.answer(method === 'HEAD')
        expect(answer?.status).toBe(200)
        if (method === 'GET') expect(answer?.json).toEqual({ status: 'ok' })
      }
      expect(server.mock.journal).toEqual([])
    },
  )
})

test('the control plane still checks the Host', async () => {
  const server = await serve()
  const wire = await Wire.open(server)
  await wire.send(`GET /_mock/journal HTTP/1.1\r\nHost: mock.internal\r\n\r\n`)
  expect((await wire.answer())?.status).toBe(403)
})

test('a server answers below every path that ends in /v1', async () => {
  const server = await serve()
  for (const path of ['/api/v1', '/proxy/team-a/v1', '/s/one/v1', '/api/s/one/v1', '/s/one//v1']) {
    const { status, json } = await fetchFrom(server, { path: `${path}/chat/completions`, body: HELLO })
    expect([status, json.choices[0].message.content]).toEqual([200, 'Hello there!'])
  }
  const paths = server.mock.journal.map(({ path, session }) => [path, session])
  expect(paths).toEqual([
    [CHAT_PATH, undefined],
    [CHAT_PATH, undefined],
    [CHAT_PATH, 'one'],
    [CHAT_PATH, 'one'],
    [CHAT_PATH, 'one'],
  ])
})

test('a base path is answered besides /v1', async () => {
  const server = await serve('default', { listen: { basePath: '/llm/api/' } })
  expect(server.url).toBe(`${server.origin}/llm/api`)
  expect(server.urlOf('one')).toBe(`${server.origin}/llm/api/s/one`)
  for (const path of ['/llm/api', '/llm/api/s/one', '/v1', '/s/one/v1']) {
    expect((await fetchFrom(server, { path: `${path}/chat/completions`, body: HELLO })).status).toBe(200)
  }
  expect((await fetchFrom(server, { path: '/other/chat/completions', body: HELLO })).status).toBe(404)
  expect((await fetchFrom(server, { path: '/_mock/health' })).status).toBe(200)
})

test.each(['llm', '/a b', '/a?b', '/_mock', '/_mock/x'])('the base path "%s" is refused', async (basePath) => {
  await expect(listen(createMock(), { basePath })).rejects.toThrow(
    `listen: expected basePath to be a path, such as '/llm/api', got '${basePath}'.`,
  )
})

test('with handlers, a real path that no handler answers says that it is not simulated', async () => {
  const server = await serve('default', { listen: { handlers: HANDLERS } })
  const { message } = errorIn(await fetchFrom(server, { path: '/v1/conversations', body: {} }))
  expect(message).toMatch(/^Invalid URL \(POST \/v1\/conversations\)\. This mock does not simulate conversations\./)
})

describe('a request to switch to HTTP/2 gets an answer of HTTP/1.1', () => {
  const UPGRADE = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA']

  test('with its body read and the connection kept open', async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    for (const text of ['first', 'second', 'third']) {
      const body = { model: 'echo-1', messages: [{ role: 'user', content: text }] }
      await wire.send(requestText({ headers: UPGRADE, body: JSON.stringify(body) }))
      const answer = await wire.answer()
      expect(answer?.status).toBe(200)
      expect(answer?.json.choices[0].message.content).toBe(text)
    }
    expect(server.mock.journal).toHaveLength(3)
  })

  test('with a chunked body, and for a stream', async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    const body = JSON.stringify({ ...HELLO, stream: true })
    const head = [`POST ${CHAT_PATH} HTTP/1.1`, 'Host: localhost', 'Authorization: Bearer sk-test', ...UPGRADE]
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    await wire.send(
      `${[...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n${chunk}`,
    )
    const answer = await wire.answer()
    expect(answer?.status).toBe(200)
    expect(answer?.text).toContain('data: [DONE]')
  })

  test('and so does the next request in its packet, also while an answer before it is under way', async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    const slow = requestText({ headers: ['X-Mock-Fault: delay; by=100ms'] })
    const models = { method: 'GET', path: '/v1/models', body: null }
    await wire.send(slow + requestText({ ...models, headers: UPGRADE }) + requestText({ ...models, path: '/v1/other' }))
    expect([(await wire.answer())?.status, (await wire.answer())?.status, (await wire.answer())?.status]).toEqual([
      200, 200, 404,
    ])
  })

  test('for the control plane and for an unknown path, too', async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(requestText({ method: 'GET', path: '/_mock/health', headers: UPGRADE, body: null }))
    expect((await wire.answer())?.status).toBe(200)
    await wire.send(
      requestText({
        method: 'GET',
        path: '/v1/realtime',
        headers: ['Connection: Upgrade', 'Upgrade: websocket'],
        body: null,
      }),
    )
    expect((await wire.answer())?.status).toBe(404)
  })
})
