/** Plays calls to fresh mocks, one for each scenario, in some order and over some transport, and keeps the answers. */

import { headOf } from '../../src/core/protocol/plan/plan.ts'
import type { Exchange } from '../../src/engine/exchange.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { type Answer, decidedHeaders, send } from '../../test/support/send.ts'
import { IN_PROCESS_URL, inProcess, overHttp, stillMock } from '../../test/support/transports.ts'
import { Wire } from '../../test/support/wire.ts'
import { closingOf, textOf } from '../fuzz/judge.ts'
import { inTime, requestBytes } from '../fuzz/served.ts'
import { type CorpusCall, keyOf, scenarios } from './corpus.ts'

export const ORDERS = ['as generated', 'key by key', '16 keys at once'] as const

/** One way to play all calls. */
export interface Way {
  readonly transport: 'HTTP' | 'in process'
  readonly order: (typeof ORDERS)[number]
  /** Only calls that fetch can send: in process there are no others. */
  readonly isFetchOnly: boolean
}

const SEED = 7
const BODY_LIMIT = 20_000
const AT_ONCE = 16

/** The answers in the order of the calls; undefined for calls that are left out. */
export async function play(calls: readonly CorpusCall[], way: Way): Promise<readonly (Answer | undefined)[]> {
  const answers: (Answer | undefined)[] = Array(calls.length).fill(undefined)
  for (const scenario of Object.keys(scenarios)) {
    const numbers = [...calls.keys()].filter((number) => calls[number]!.scenario === scenario)
    const played = numbers.filter((number) => !way.isFetchOnly || isFetchable(calls[number]!))
    await using player = await Player.open(scenario, way)
    await playQueues(queuesOf(calls, played, way), async (number) => {
      answers[number] = await player.answerTo(calls[number]!, number)
    })
  }
  return answers
}

/** Calls whose order is kept; one queue may pass another. */
function queuesOf(calls: readonly CorpusCall[], numbers: readonly number[], { order }: Way): readonly number[][] {
  if (order === 'as generated') return [[...numbers]]
  const queues = [...groupByKey(calls, numbers).values()].reverse()
  return order === 'key by key' ? [queues.flat()] : queues
}

function groupByKey(calls: readonly CorpusCall[], numbers: readonly number[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const number of numbers) {
    const key = keyOf(calls[number]!)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [number])
    else group.push(number)
  }
  return groups
}

async function playQueues(queues: readonly number[][], one: (number: number) => Promise<void>): Promise<void> {
  const rest = queues.values()
  const worker = async (): Promise<void> => {
    for (const queue of rest) for (const number of queue) await one(number)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** Whether fetch sends a call as it is, and it can be answered in process. */
export function isFetchable({ method, target, headers, body }: CorpusCall): boolean {
  if (!target.startsWith('/v1/') || !/^[A-Z]+$/.test(method) || method === 'TRACE') return false
  if (body !== '' && (method === 'GET' || method === 'HEAD')) return false
  // This fault needs a connection of its own, so in process it is refused.
  if (headers.some(([name, value]) => /^x-mock-fault$/i.test(name) && value.includes('garbage'))) return false
  const names = headers.map(([name]) => name.toLowerCase())
  if (new Set(names).size < names.length) return false
  try {
    const { pathname, search } = new URL(`http://127.0.0.1${target}`)
    new Headers(headers.map(([name, value]): [string, string] => [name, value]))
    return pathname + search === target
  } catch {
    return false
  }
}

/** A mock behind a transport, which knows the exchange of each call. */
class Player implements AsyncDisposable {
  readonly #origin: string
  readonly #isHttp: boolean
  readonly #close: () => PromiseLike<void>
  /** The last exchange of each key: its calls come one after the other. */
  readonly #begun = new Map<string, Exchange>()
  readonly #listeners = new Map<string, (exchange: Exchange) => void>()

  private constructor(origin: string, isHttp: boolean, close: () => PromiseLike<void>) {
    this.#origin = origin
    this.#isHttp = isHttp
    this.#close = close
  }

  static async open(scenario: string, { transport }: Way): Promise<Player> {
    const mock = stillMock(scenarios[scenario]!, SEED, { bodyLimit: BODY_LIMIT })
    const isHttp = transport === 'HTTP'
    const opened = await (isHttp ? overHttp : inProcess).open(mock)
    const { origin } = new URL(isHttp ? opened.baseUrl : IN_PROCESS_URL)
    const player = new Player(origin, isHttp, () => opened[Symbol.asyncDispose]())
    engineOf(mock).begun.add((exchange) => {
      player.#begun.set(exchange.sessionId, exchange)
      player.#listeners.get(exchange.sessionId)?.(exchange)
    })
    return player
  }

  async answerTo(call: CorpusCall, number: number): Promise<Answer> {
    const key = keyOf(call)
    this.#begun.delete(key)
    const about = `call ${number}, ${call.method} ${call.target}`
    const answer = await inTime(isFetchable(call) ? this.#fetch(call, key) : this.#write(call, key), about)
    this.#listeners.delete(key)
    // A limit counts what a call used when it has ended, which is not before its client has read the answer.
    while (this.#begun.get(key)?.entry.outcome === 'open') await new Promise(setImmediate)
    return answer
  }

  /** Leaves calls that hang, once everything has come that was planned. */
  #fetch({ method, target, headers, body }: CorpusCall, key: string): Promise<Answer> {
    const client = new AbortController()
    let received = -1
    let isStalled = false
    let planned = 0
    const leaveWhenAllCame = (): void => {
      if (isStalled && received >= planned) client.abort()
    }
    this.#listeners.set(key, ({ plan }) => {
      isStalled = closingOf(plan) === 'stall'
      planned = headOf(plan.events) === undefined ? -1 : Buffer.byteLength(textOf(plan))
      leaveWhenAllCame()
    })
    const bytes = body === '' ? undefined : Buffer.from(body, 'base64')
    const sendable = { method, path: target, headers: Object.fromEntries(headers), body: bytes }
    return send(this.#origin, sendable, client.signal, (count) => {
      received = count
      leaveWhenAllCame()
    })
  }

  async #write(call: CorpusCall, key: string): Promise<Answer> {
    if (!this.#isHttp) throw new Error('Only fetch calls are played in process.')
    const wire = await Wire.open({ port: Number(new URL(this.#origin).port) })
    this.#listeners.set(key, ({ plan }) => {
      if (closingOf(plan) === 'stall') wire.socket.destroy()
    })
    const bytes = requestBytes({ ...call, body: Buffer.from(call.body, 'base64') }, { isChunked: false, cuts: [] })
    await wire.send(bytes)
    const answer = await wire.answer(call.method === 'HEAD')
    wire.socket.destroy()
    if (answer === undefined) return { status: 0, headers: [], bytes: '', isBroken: true }
    const { status, headers, text } = answer
    const headersKept = decidedHeaders(Object.entries(headers))
    // Bytes that are no HTTP have no status, and JSON has no NaN.
    return { status: status || 0, headers: headersKept, bytes: Buffer.from(text).toString('latin1'), isBroken: false }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }
}
