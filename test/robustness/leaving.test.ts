/** Clients that leave half-way: noted where there was a call to note, and the server goes on. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, test } from 'vitest'
import { createMock, type Outcome } from '../../src/index.ts'
import { middleware } from '../../src/node.ts'
import { GENEROUS_MS, HELLO, requestText, type Served, serve, stillAnswers, Wire } from '../support/http.ts'
import { expectNoStrays } from './strays.ts'

expectNoStrays()

const STREAM = JSON.stringify({ ...HELLO, stream: true })
const LONG = 'one word after the other '.repeat(10_000)

type Leaving = (wire: Wire) => void
const WAYS: readonly (readonly [name: string, leave: Leaving])[] = [
  ['closes', (wire) => void wire.socket.destroy()],
  ['resets', (wire) => void wire.socket.resetAndDestroy()],
  ['says goodbye', (wire) => void wire.socket.end()],
]

/** How the first call to a server ends. */
function outcomeOf({ mock }: Served): Promise<Outcome> {
  return new Promise((resolve) => mock.onExchange(({ outcome }) => resolve(outcome)))
}

test.each(WAYS)(
  'after half a head a client %s',
  async (_, leave) => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthor')
    leave(wire)
    await stillAnswers(server)
    expect(server.mock.journal).toHaveLength(1)
  },
  GENEROUS_MS,
)

test.each(WAYS)(
  'after half a body a client %s',
  async (_, leave) => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(`${requestText({ body: null, headers: ['Content-Length: 1000'] })}{"model": "ec`)
    leave(wire)
    await stillAnswers(server)
    expect(server.mock.journal).toHaveLength(1)
  },
  GENEROUS_MS,
)

test.each(WAYS)(
  'after half a chunk a client %s',
  async (_, leave) => {
    const server = await serve()
    const wire = await Wire.open(server)
    await wire.send(`${requestText({ body: null, headers: ['Transfer-Encoding: chunked'] })}ff\r\n{"model": "ec`)
    leave(wire)
    await stillAnswers(server)
    expect(server.mock.journal).toHaveLength(1)
  },
  GENEROUS_MS,
)

test.each(WAYS)(
  'after half of a body that is too large a client %s',
  async (_, leave) => {
    const server = await serve('default', { bodyLimit: 1000 })
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: null, headers: ['Content-Length: 100000'] }))
    await wire.send(' '.repeat(5000))
    expect((await wire.answer())?.status).toBe(413)
    leave(wire)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each(WAYS.slice(0, 2))(
  'the journal records that a client %s while it waits for the first token',
  async (_, leave) => {
    const server = await serve('slow')
    const outcome = outcomeOf(server)
    const wire = await Wire.open(server)
    await wire.send(requestText())
    await expect.poll(() => server.mock.journal.length).toBe(1)
    leave(wire)
    expect(await outcome).toBe('client-left')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each(WAYS.slice(0, 2))(
  'the journal records that a client %s in the middle of a stream',
  async (_, leave) => {
    const server = await serve({ description: 'A test.', pace: { perToken: '10s' } })
    const outcome = outcomeOf(server)
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: STREAM }))
    expect(await wire.until('"role":"assistant"')).toContain('200 OK')
    leave(wire)
    expect(await outcome).toBe('client-left')
    server.mock.use('default')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each(WAYS.slice(0, 2))(
  'while a long answer is unread, a client %s',
  async (_, leave) => {
    const server = await serve('default', { answerLimit: 1_000_000_000 })
    const outcome = outcomeOf(server)
    const wire = await Wire.open(server)
    wire.socket.pause()
    await wire.send(
      requestText({ body: JSON.stringify({ ...HELLO, stream: true, messages: [{ role: 'user', content: LONG }] }) }),
    )
    await expect.poll(() => server.mock.journal.length, { timeout: 10_000 }).toBe(1)
    leave(wire)
    expect(await outcome).toBe('client-left')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each(WAYS.slice(0, 2))(
  'with twenty pipelined calls behind a slow one, a client %s: each is recorded, and all slots are free',
  async (_, leave) => {
    const server = await serve({ description: 'A test.', pace: { firstToken: '1h' }, limits: { concurrent: 30 } })
    const wire = await Wire.open(server)
    const models = requestText({ method: 'GET', path: '/v1/models', body: null })
    await wire.send(requestText() + models.repeat(10) + requestText().repeat(10))
    await expect.poll(() => server.mock.journal.length).toBe(21)
    leave(wire)
    await expect.poll(() => server.mock.journal.map(({ outcome }) => outcome)).toEqual(Array(21).fill('client-left'))
    expect(server.mock.limitUsage).toMatchObject([{ limits: [{ used: 0 }] }])
    server.mock.use('default')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test.each(WAYS.slice(0, 2))(
  'the journal records that a client %s during a call that hangs',
  async (_, leave) => {
    const server = await serve()
    const outcome = outcomeOf(server)
    const wire = await Wire.open(server)
    await wire.send(requestText({ headers: ['X-Mock-Fault: hang'] }))
    await expect.poll(() => server.mock.journal.length).toBe(1)
    leave(wire)
    expect(await outcome).toBe('client-left')
    expect(server.mock.journal[0]).toMatchObject({ status: 0, reason: { by: 'fault', name: 'hang (header)' } })
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a client that closes its sending side still gets its answer',
  async () => {
    const server = await serve()
    const wire = await Wire.open(server)
    wire.socket.end(requestText())
    expect((await wire.answer())?.status).toBe(200)
  },
  GENEROUS_MS,
)

test(
  'the journal records a cut answer as cut, and the bytes before the cut arrive',
  async () => {
    const server = await serve()
    const outcome = outcomeOf(server)
    const wire = await Wire.open(server)
    await wire.send(requestText({ body: STREAM, headers: ['X-Mock-Fault: cut; after=2'] }))
    const received = await wire.until('never')
    expect(received.match(/data: /g)).toHaveLength(2)
    expect(received).not.toContain('0\r\n\r\n')
    expect(await outcome).toBe('cut')
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test(
  'a hundred clients that disconnect at once make a hundred journal entries',
  async () => {
    const server = await serve()
    const wires = await Promise.all(Array.from({ length: 100 }, () => Wire.open(server)))
    await Promise.all(wires.map((wire) => wire.send(requestText({ headers: ['X-Mock-Fault: hang'] }))))
    await expect.poll(() => server.mock.journal.length, { timeout: 10_000 }).toBe(100)
    for (const wire of wires) wire.socket.resetAndDestroy()
    await expect.poll(() => server.mock.journal.filter(({ outcome }) => outcome === 'client-left').length).toBe(100)
    await stillAnswers(server)
  },
  GENEROUS_MS,
)

test('a client that disconnects before its call is decided is recorded, and frees its concurrency slot', async () => {
  const mock = createMock({ limits: { concurrent: 1 } })
  const client = new AbortController()
  // A middleware that waits, behind one that has read the body.
  const app = express().use(express.json(), (request, _response, next) => {
    if (client.signal.aborted) return next()
    request.socket.once('close', () => next())
    client.abort()
  })
  const server = createServer(app.use(middleware(mock))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const ask = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: JSON.stringify(HELLO),
      signal: signal ?? null,
    })
  await expect(ask(client.signal)).rejects.toThrow()
  await expect.poll(() => mock.journal.map(({ outcome }) => outcome)).toEqual(['client-left'])
  expect((await ask()).status).toBe(200)
  server.close()
  server.closeAllConnections()
})
