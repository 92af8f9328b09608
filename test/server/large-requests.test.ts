/** Large requests take the room of what has arrived of them; without room, only the first that came is read. */
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createHttpServer } from '../../src/http/http-server.ts'
import { isLarge, LargeRequests } from '../../src/http/large-requests.ts'
import { createMock } from '../../src/index.ts'
import { listen, middleware } from '../../src/node.ts'

const LIMIT = 1_000_000
const LARGEST = 400_000

/** Uploads to a bound of 1 MB. */
function admitAll(count: number, stallMs?: number) {
  const requests = new LargeRequests(LIMIT, stallMs)
  return Array.from({ length: count }, () => {
    const request = new PassThrough({ highWaterMark: LIMIT })
    const end = vi.fn()
    const writeHead = vi.fn(() => ({ end }))
    const response = Object.assign(new EventEmitter(), { writeHead })
    const room = requests.admit(request as unknown as IncomingMessage, response as unknown as ServerResponse)
    const send = async (bytes: number): Promise<void> => {
      request.write(Buffer.alloc(bytes))
      await setImmediate()
    }
    return { ...room, send, leave: () => response.emit('close'), isPaused: () => request.isPaused(), writeHead, end }
  })
}

type Upload = ReturnType<typeof admitAll>[number]
const paused = (...uploads: readonly (Upload | undefined)[]): boolean[] => uploads.map((one) => one!.isPaused())

describe('an upload', () => {
  test('takes no room for what it has announced', async () => {
    const uploads = admitAll(20)
    for (const { send } of uploads) await send(20_000)
    expect(uploads.filter(({ isPaused }) => isPaused())).toEqual([])
  })

  test('waits when there is no room, while the first that came is read to its end', async () => {
    const [first, second, third] = admitAll(3)
    await second!.send(600_000)
    await third!.send(600_000)
    expect(paused(first, second, third)).toEqual([false, true, true])
    await first!.send(400_000)
    first!.receive()
    expect(paused(second, third)).toEqual([true, true])
    first!.release()
    expect(paused(second, third)).toEqual([false, true])
    second!.leave()
    expect(paused(third)).toEqual([false])
  })

  test('keeps its room until it is decided, even if its client leaves after the body has arrived', async () => {
    const [first, second] = admitAll(2)
    await first!.send(900_000)
    first!.receive()
    first!.leave()
    await second!.send(200_000)
    expect(paused(second)).toEqual([true])
    first!.release()
    expect(paused(second)).toEqual([false])
  })

  test('takes the room of its plan until its answer is sent', async () => {
    const [first, second] = admitAll(2)
    await first!.send(10_000)
    first!.receive()
    first!.hold(900_000)
    await second!.send(200_000)
    expect(paused(second)).toEqual([true])
    first!.hold(0)
    expect(paused(second)).toEqual([false])
    first!.hold(900_000)
    expect(paused(second)).toEqual([true])
    first!.release()
    expect(paused(second)).toEqual([false])
  })

  test('that has stalled is refused while another waits', async () => {
    const [stalled, waiting] = admitAll(2, 5)
    await stalled!.send(900_000)
    await waiting!.send(200_000)
    await vi.waitFor(() => expect(paused(waiting)).toEqual([false]), 10_000)
    expect(stalled!.writeHead).toHaveBeenCalledWith(408, expect.anything())
    expect(stalled!.end).toHaveBeenCalledWith(expect.stringContaining('Nothing came for 5 seconds'))
    expect(stalled!.isPaused()).toBe(true)
    expect(waiting!.writeHead).not.toHaveBeenCalled()
  })

  test('that has stalled stays when no other waits', async () => {
    const [only, other] = admitAll(2, 5)
    other!.leave()
    await only!.send(2_000_000)
    await sleep(50)
    expect(only!.writeHead).not.toHaveBeenCalled()
    expect(paused(only)).toEqual([false])
  })
})

test.each([
  ['4 kB', { 'content-length': '4096' }, false],
  ['300 kB', { 'content-length': '300000' }, true],
  ['no known length', { 'transfer-encoding': 'chunked' }, true],
  ['more than is read', { 'content-length': '5000000' }, false],
])('a body of %s counts: %o', (_, headers, expected) => {
  expect(isLarge({ headers } as unknown as IncomingMessage, LARGEST)).toBe(expected)
})

const HEAD = 'POST /v1/chat/completions HTTP/1.1\r\nhost: mock\r\ncontent-type: application/json\r\n'
const KEY = 'authorization: Bearer sk-test\r\n'
const LONG = 'content-length: 9900000\r\n\r\n{'
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n1\r\n{\r\n'

/** Sends the beginning of a request, and leaves it so. */
async function begin(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const firstText = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])

test.each([
  ['of a known length', HEAD + KEY + LONG],
  ['of an unknown length', HEAD + KEY + CHUNKED],
  ['to a wrong path', HEAD.replace('chat', 'chats') + KEY + LONG],
])('a hundred half-open uploads %s do not stop a large request', async (_, text) => {
  await using server = await listen(createMock(), { port: 0 })
  const sockets = await Promise.all(Array.from({ length: 100 }, () => begin(server.port, text)))
  const { status } = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'word '.repeat(50_000) }] }),
  })
  expect(status).toBe(200)
  for (const socket of sockets) socket.destroy()
})

test.each([
  ['a wrong path', HEAD.replace('chat', 'chats') + KEY, 'HTTP/1.1 404', 'Invalid URL'],
  ['a wrong method', HEAD.replace('POST', 'DELETE') + KEY, 'HTTP/1.1 405', 'method_not_supported'],
  ['no key', HEAD, 'HTTP/1.1 401', "You didn't provide an API key"],
])('an upload with %s is refused before its body has arrived', async (_, head, status, text) => {
  await using server = await listen(createMock(), { port: 0 })
  for (const rest of [LONG, `${CHUNKED}11170\r\n${' '.repeat(70_000)}`]) {
    const socket = await begin(server.port, head + rest)
    const answer = await firstText(socket)
    expect(answer).toContain(status)
    expect(answer).toContain(text)
    socket.destroy()
  }
})

test('a request that does not arrive in time is a 408, and its connection is closed', async () => {
  const mock = createMock()
  const answer = middleware(mock)
  const server = createHttpServer((request, response) => answer(request, response, () => {}))
  server.requestTimeout = 500
  server.headersTimeout = 500
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const late = await Promise.all(
    [HEAD + KEY + LONG, HEAD + KEY + CHUNKED, `${HEAD + KEY}content-length: 10\r\n\r\n{`, HEAD].map(async (text) => {
      const socket = await begin(port, text)
      const closed = once(socket, 'close')
      const received = await firstText(socket)
      await closed
      return received
    }),
  )
  for (const text of late) {
    expect(text).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
    const { error } = JSON.parse(text.slice(text.indexOf('{'))) as { error: object }
    expect(error).toEqual({
      message: 'The request did not arrive in time. Expected its head and its body within 60 seconds.',
      type: 'invalid_request_error',
      param: null,
      code: null,
    })
  }
  server.close()
})
