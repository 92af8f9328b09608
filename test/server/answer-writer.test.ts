/** How much of a long answer is built and written in one turn of the event loop. */
import { createServer, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Send } from '../../src/core/protocol/plan/plan.ts'
import type { TextParts } from '../../src/core/protocol/plan/text-parts.ts'
import { AnswerWriter } from '../../src/http/answer-writer.ts'

/** A response whose socket takes everything at once. */
function fastResponse() {
  const sizes: number[] = []
  const response = {
    writableNeedDrain: false,
    write: (data: string) => {
      sizes.push(data.length)
      return true
    },
  }
  return { response: response as unknown as ServerResponse, written: () => sizes.reduce((sum, size) => sum + size, 0) }
}

/** A text of two million characters that counts how many of its 20,000 parts were built. */
class Parts implements TextParts {
  built = 0
  readonly byteLength = 2_000_000;

  *[Symbol.iterator](): Generator<string> {
    for (this.built = 0; this.built < 20_000; this.built++) yield 'x'.repeat(100)
  }
}

test('a turn builds and writes a part of a long answer, even if its reader is fast', () => {
  const { response, written } = fastResponse()
  const writer = new AnswerWriter(response)
  const parts = new Parts()
  writer.beginTurn()
  const send: Send = {
    type: 'send',
    get data(): string {
      throw new Error('The whole text was built.')
    },
    parts,
  }
  expect(writer.add(send)).toBe(false)
  expect(written()).toBeLessThan(400_000)
  expect(parts.built).toBeLessThan(4000)
  let turns = 1
  while (!writer.beginTurn()) turns++
  expect(turns).toBeGreaterThan(5)
  writer.writeRest()
  expect(written()).toBe(2_000_000)
})

/** What a client gets of an answer that is written by this, on a socket. Without a size, it is chunked. */
async function wireOf(answer: (response: ServerResponse) => Promise<void>, size?: number): Promise<string> {
  const server = createServer((_request, response) => {
    response.sendDate = false
    const length = size === undefined ? [] : ['content-length', String(size)]
    response.writeHead(200, ['content-type', 'text/event-stream', ...length])
    void answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    return await text(socket)
  } finally {
    server.close()
  }
}

const TEXTS = [
  'data: one\n\n',
  'data: 世界\n\n',
  'data: two\n\n',
  'x'.repeat(9000),
  'y'.repeat(8192),
  'data: [DONE]\n\n',
]
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test.each([false, true])(
  'short texts are the same chunks as those of Node; with replaced `write`: %j',
  async (isReplaced) => {
    const expected = await wireOf(async (response) => {
      for (const data of TEXTS) {
        response.write(data)
        await turn()
      }
      response.end()
    })
    const seen: string[] = []
    const wire = await wireOf(async (response) => {
      if (isReplaced) {
        const { write } = ServerResponse.prototype
        response.write = ((...args: unknown[]) => {
          seen.push(String(args[0]))
          return Reflect.apply(write, response, args)
        }) as typeof write
      }
      const writer = new AnswerWriter(response)
      for (const data of TEXTS) {
        writer.add({ type: 'send', data })
        writer.writeRest()
        await turn()
      }
      writer.end()
    })
    expect(wire).toBe(expected)
    expect(seen).toEqual(isReplaced ? TEXTS : [])
  },
)

test.each(TEXTS)('a whole answer is the bytes that `end` writes, in one write of the socket: %j', async (data) => {
  const size = Buffer.byteLength(data)
  const expected = await wireOf(async (response) => void response.end(data), size)
  const writes: string[] = []
  const wire = await wireOf(async (response) => {
    const socket = response.socket!
    const { _write, _writev } = socket
    socket._write = (...args) => {
      writes.push('one text')
      return _write.apply(socket, args)
    }
    socket._writev = (...args) => {
      writes.push('a list of texts')
      return _writev!.apply(socket, args)
    }
    const writer = new AnswerWriter(response)
    writer.add({ type: 'send', data })
    writer.end()
  }, size)
  expect(wire).toBe(expected)
  expect(writes).toEqual(['one text'])
})

test('middleware that replaces `end` is given the whole answer', async () => {
  const seen: unknown[] = []
  const wire = await wireOf(async (response) => {
    const { end } = ServerResponse.prototype
    response.end = ((...args: unknown[]) => {
      seen.push(args[0])
      return Reflect.apply(end, response, args)
    }) as typeof end
    const writer = new AnswerWriter(response)
    writer.add({ type: 'send', data: 'whole' })
    writer.end()
  }, 5)
  expect(wire).toMatch(/\r\n\r\nwhole$/)
  expect(seen).toEqual(['whole'])
})
