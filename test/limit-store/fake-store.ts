/** A store of shared limits in memory, with a clock that the test moves and answers that it can hold back. */

import type { LimitRequest, StoredVerdict } from '../../src/core/decide/state/limit-request.ts'
import type { Rate } from '../../src/core/scenario/compile/limits.ts'
import type { LimitStore } from '../../src/limit-store/limit-store.ts'

interface Bucket {
  level: number
  at: number
}

export class FakeStore implements LimitStore {
  now = 0
  /** What happened, in order. */
  readonly events: string[] = []
  /** Why it does not answer. */
  problem: string | undefined
  /** The calls in flight in other processes. */
  elsewhere = 0
  isHolding = false
  readonly #buckets = new Map<string, Bucket>()
  readonly #held = new Map<string, LimitRequest>()
  readonly #waiting: (() => void)[] = []
  #count = 0

  async reserve(space: string, request: LimitRequest): Promise<StoredVerdict> {
    this.events.push(`reserve ${request.sessionId}`)
    if (this.isHolding) await new Promise<void>((answer) => this.#waiting.push(answer))
    if (this.problem !== undefined) throw new Error(this.problem)
    const { limits, tokens } = request
    const demands = [
      ...limits.requests.map((rate) => ({ rate, count: 1 })),
      ...limits.tokens.map((rate) => ({ rate, count: tokens })),
    ]
    const levels = {
      rates: demands.map(({ rate }) => this.#bucket(space, request, rate).level),
      concurrent: limits.concurrent.map(() => this.#held.size + this.elsewhere),
    }
    const fits =
      demands.every(({ rate, count }, index) => levels.rates[index]! + count * rate.windowMs <= size(rate)) &&
      limits.concurrent.every(({ most }, index) => levels.concurrent[index]! < most)
    if (!fits) return { reservationId: undefined, levels }
    for (const { rate, count } of demands) this.#bucket(space, request, rate).level += count * rate.windowMs
    const reservationId = `r${++this.#count}`
    this.#held.set(reservationId, request)
    return { reservationId, levels }
  }

  /** Answers the first request that was held back. */
  answer(): void {
    this.#waiting.shift()?.()
  }

  settle(id: string, usedTokens?: number): void {
    if (usedTokens === undefined) this.#end('release', id, -1, (reserved) => -reserved)
    else this.#end('settle', id, 0, (reserved) => usedTokens - reserved)
  }

  #end(what: string, id: string, requests: number, tokensOf: (reserved: number) => number): void {
    const request = this.#held.get(id)
    this.events.push(`${what} ${id}`)
    if (request === undefined) return
    this.#held.delete(id)
    const change = (rate: Rate, count: number): void => {
      for (const [name, bucket] of this.#buckets)
        if (name.endsWith(`${request.sessionId} ${rate.id}`))
          bucket.level = Math.max(0, bucket.level + count * rate.windowMs)
    }
    for (const rate of request.limits.requests) change(rate, requests)
    for (const rate of request.limits.tokens) change(rate, tokensOf(request.tokens))
  }

  reset(space: string): void {
    this.events.push(`reset ${space}`)
    this.#buckets.clear()
    this.#held.clear()
  }

  connect(): void {
    this.events.push('connect')
  }

  async retire(): Promise<void> {
    this.events.push('retire')
  }

  async close(): Promise<void> {
    this.events.push('close')
  }

  #bucket(space: string, { sessionId }: LimitRequest, rate: Rate): Bucket {
    const name = `${space} ${sessionId} ${rate.id}`
    const bucket = this.#buckets.get(name) ?? { level: 0, at: this.now }
    this.#buckets.set(name, bucket)
    bucket.level = Math.max(0, bucket.level - (this.now - bucket.at) * rate.amount)
    bucket.at = this.now
    return bucket
  }
}

/** A full bucket. */
const size = ({ amount, windowMs }: Rate): number => amount * windowMs
