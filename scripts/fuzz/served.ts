/** A mock that is served for fuzzing, with what it says of the calls that reached it; the same for both levels of bytes. */

import type { Scenario } from '../../src/core/scenario/compile/compile.ts'
import type { Exchange } from '../../src/engine/exchange.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { listen } from '../../src/node.ts'
import { stillMock, type TestMock } from '../../test/support/transports.ts'
import { requestText, Wire } from '../../test/support/wire.ts'
import type { FuzzedCall } from './calls.ts'
import { fuzzedScenarios } from './fuzzed-scenarios.ts'
import { closingOf } from './judge.ts'

/** Only to notice what hangs: every answer here is there in milliseconds, as the mock's time stands still. */
const HUNG_MS = 20_000

export class Served implements AsyncDisposable {
  readonly port: number
  readonly mock: TestMock
  readonly #scenario: Scenario
  readonly #close: () => Promise<void>
  /** The calls that reached the mock in this run. */
  begun: Exchange[] = []
  #stalled: () => void = () => {}

  private constructor(mock: TestMock, port: number, close: () => Promise<void>) {
    this.mock = mock
    this.port = port
    this.#scenario = engineOf(mock).scenario
    this.#close = close
    engineOf(mock).begun.add((exchange) => {
      this.begun.push(exchange)
      if (closingOf(exchange.plan) === 'stall') this.#stalled()
    })
  }

  static async open(scenario: string): Promise<Served> {
    const mock = stillMock(fuzzedScenarios[scenario]!.source, 7, { bodyLimit: 20_000 })
    const server = await listen(mock, { port: 0 })
    return new Served(mock, server.port, () => server.close(0))
  }

  /** As it was at the start. */
  reset(): void {
    engineOf(this.mock).use(this.#scenario)
    this.mock.reset()
    this.begun = []
  }

  /** Resolves when a call came that is never answered to its end, and so waits for its client to leave. */
  stalled(): Promise<'stalled'> {
    return new Promise((resolve) => {
      this.#stalled = () => resolve('stalled')
    })
  }

  /** Resolves when every call has ended. */
  async settled(): Promise<void> {
    const lastLook = performance.now() + HUNG_MS
    while (this.begun.some(({ entry }) => entry.outcome === 'open')) {
      if (performance.now() > lastLook)
        throw new Error(`a call never ended: ${this.begun.map(({ entry }) => entry.outcome)}`)
      await new Promise(setImmediate)
    }
  }

  /** Says what is wrong when a plain call is not answered. */
  async problemsAfter(): Promise<string[]> {
    const wire = await Wire.open(this)
    await wire.send(requestText())
    const answer = await inTime(wire.answer(), 'a plain call')
    wire.socket.destroy()
    return answer?.status === 200 ? [] : [`a plain call is answered with ${answer?.status}`]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close()
  }
}

/** What is awaited, or an error when it does not come. */
export async function inTime<Value>(awaited: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), HUNG_MS)
  })
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer))
}

/** How the bytes of a call are cut. */
export interface Framing {
  readonly isChunked: boolean
  /** Where chunks, or writes, end; anywhere in a character too. */
  readonly cuts: readonly number[]
}

/** The bytes of a call as an HTTP request. */
export function requestBytes({ method, target, headers, body }: FuzzedCall, { isChunked, cuts }: Framing): Buffer {
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1', ...headers.map((pair) => pair.join(': ')), framing]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return Buffer.concat([head, ...(isChunked ? chunksOf(body, cuts) : [body])])
}

function chunksOf(body: Buffer, cuts: readonly number[]): Buffer[] {
  const chunks = pieces(body, cuts).flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ])
  return [...chunks, Buffer.from('0\r\n\r\n')]
}

/** Bytes in pieces, none of them empty. */
export function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}
