/** Limits in Redis or Valkey: one script reserves, one settles. */

import type { LimitRequest, StoredVerdict } from '../core/decide/state/session.ts'
import type { Limits, Rate } from '../core/scenario/compile/limits.ts'
import type { LimitStore, ReportStore } from './limit-store.ts'
import type { StoreModules } from './load-store-modules.ts'
import { LostAnswer, RedisConnection } from './redis-connection.ts'
import { RENEW, RESERVE, RESET, SETTLE } from './scripts.ts'

const LEASE_MS = 30_000
/** Number of places that one script renews, so that it does not hold up the store. */
const RENEWED_AT_ONCE = 500
const MAX_CLOSING_MS = 1_000
/** Most reservations with a lost answer. */
const MAX_LOST = 100_000

/** The reservation of a call that has not ended. */
interface Held {
  readonly space: string
  readonly owner: string
  /** Undefined when its answer was lost. */
  readonly epoch: number | undefined
  readonly limits: Limits
  readonly tokens: number
}

/** A change of a rate's count. */
type Change = readonly [rate: Rate, count: number]

/** A function, because Node loads this module when it is first called: see scripts/lazy-modules.ts. */
export function createRedisStore(url: string, report: ReportStore, modules: StoreModules): LimitStore {
  return new RedisLimitStore(url, report, modules)
}

export class RedisLimitStore implements LimitStore {
  readonly #connection: RedisConnection
  readonly #modules: StoreModules
  readonly #leaseMs: number
  /** The beginning of the names of all reservations of this store. */
  readonly #name: string
  readonly #held = new Map<string, Held>()
  /** The number of the next reservation. */
  #nextNumber = 0
  /** Number of requests for a reservation that are not answered yet. */
  #openRequests = 0
  /** The spaces to reset as soon as the store is back. */
  readonly #missedResets = new Set<string>()
  /** Reservations with a lost answer, which are given back as soon as the store is back. */
  readonly #lost = new Map<string, Held>()
  /** The reservations whose answers were read, and which the store does not know of yet. */
  #wereRead: string[] = []
  #renewing: ReturnType<typeof setInterval> | undefined
  /** Called when no call is in flight any more. */
  readonly #whenIdle: (() => void)[] = []

  /** @param leaseMs how long a place is kept for a process that does not renew it. */
  constructor(url: string, report: ReportStore, modules: StoreModules, leaseMs = LEASE_MS) {
    const onConnect = (): void => {
      const spaces = [...this.#missedResets]
      this.#missedResets.clear()
      for (const space of spaces) this.reset(space)
      const lost = [...this.#lost]
      this.#lost.clear()
      for (const [id, held] of lost) this.#giveBack(id, held)
    }
    this.#connection = new RedisConnection(url, [RESERVE, SETTLE, RENEW, RESET], { report, onConnect }, modules)
    this.#modules = modules
    this.#name = modules.randomBytes(8).toString('hex')
    this.#leaseMs = leaseMs
  }

  async reserve(space: string, { sessionId, limits, tokens }: LimitRequest): Promise<StoredVerdict> {
    const id = `${this.#name}-${(this.#nextNumber++).toString(36)}`
    // Not the key itself: others may read the store.
    const owner = this.#modules.createHash('sha256').update(sessionId).digest('base64url').slice(0, 22)
    const changes: Change[] = [
      ...limits.requests.map((rate): Change => [rate, 1]),
      ...limits.tokens.map((rate): Change => [rate, tokens]),
    ]
    const places = limits.concurrent.flatMap(({ id: key, most }) => [key, String(most)])
    const lease = String(this.#leaseMs)
    const wereRead = this.#wereRead
    const args = [prefixOf(space), owner, id, wereRead.join(' '), lease, ...argumentsOf(changes), ...places]
    this.#wereRead = []
    this.#openRequests++
    try {
      const answer = await this.#connection.run(RESERVE, epochKeyOf(space), args)
      if (!isNumbers(answer, 2 + changes.length + limits.concurrent.length))
        throw new Error(`${this.#connection.name} answers what Redis would not`)
      const [isReserved, epoch = 0, ...levels] = answer
      if (isReserved === 1) {
        this.#wereRead.push(id)
        this.#hold(id, { space, owner, epoch, limits, tokens })
      }
      return {
        reservationId: isReserved === 1 ? id : undefined,
        levels: { rates: levels.slice(0, changes.length), concurrent: levels.slice(changes.length) },
      }
    } catch (error) {
      this.#wereRead.push(...wereRead)
      if (error instanceof LostAnswer) this.#giveBack(id, { space, owner, epoch: undefined, limits, tokens })
      throw error
    } finally {
      this.#openRequests--
      this.#checkIdle()
    }
  }

  settle(id: string, usedTokens: number): void {
    this.#end(id, 0, (reserved) => usedTokens - reserved)
  }

  release(id: string): void {
    this.#end(id, -1, (reserved) => -reserved)
  }

  reset(space: string): void {
    this.#connection.run(RESET, epochKeyOf(space), []).catch(() => this.#missedResets.add(space))
  }

  connect(): void {
    this.#connection.connect().catch(() => {})
  }

  async retire(): Promise<void> {
    await this.#idle()
    await this.#disconnect()
  }

  async close(): Promise<void> {
    await this.#connection.withinTime(this.#idle(), MAX_CLOSING_MS).catch(() => {})
    await this.#disconnect()
  }

  async #disconnect(): Promise<void> {
    this.#modules.timers.clearInterval(this.#renewing)
    this.#renewing = undefined
    await this.#connection.close()
  }

  #idle(): Promise<void> {
    if (this.#held.size + this.#openRequests === 0) return Promise.resolve()
    return new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  #hold(id: string, held: Held): void {
    this.#held.set(id, held)
    if (held.limits.concurrent.length === 0 || this.#renewing !== undefined) return
    this.#renewing = this.#modules.timers.setInterval(() => this.#renew(), this.#leaseMs / 3)
    this.#renewing.unref?.()
  }

  #end(id: string, requests: number, tokensOf: (reserved: number) => number): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    this.#held.delete(id)
    this.#settle(id, held, requests, tokensOf(held.tokens)).catch(() => {})
    this.#checkIdle()
  }

  async #settle(id: string, held: Held, requests: number, tokens: number): Promise<void> {
    const { space, owner, epoch = '', limits } = held
    const changes = [
      ...limits.requests.map((rate): Change => [rate, requests]),
      ...limits.tokens.map((rate): Change => [rate, tokens]),
    ].filter(([, count]) => count !== 0)
    const places = limits.concurrent.map((limit) => limit.id)
    if (changes.length + places.length === 0) return
    const args = [prefixOf(space), owner, id, String(epoch), ...argumentsOf(changes), ...places]
    await this.#connection.run(SETTLE, epochKeyOf(space), args)
  }

  /** Gives a reservation back that the store may have made; it does so once. */
  #giveBack(id: string, held: Held): void {
    this.#settle(id, held, -1, -held.tokens).catch(() => {
      if (this.#lost.size < MAX_LOST) this.#lost.set(id, held)
    })
  }

  #renew(): void {
    if (this.#held.size === 0) {
      this.#modules.timers.clearInterval(this.#renewing)
      this.#renewing = undefined
    }
    /** The places of each space and epoch. */
    const groups = new Map<
      string,
      { readonly space: string; readonly epoch: number | undefined; readonly places: string[][] }
    >()
    for (const [id, { space, owner, epoch, limits }] of this.#held) {
      const name = `${epoch} ${space}`
      const group = groups.get(name) ?? { space, epoch, places: [] }
      groups.set(name, group)
      for (const limit of limits.concurrent) group.places.push([`${owner}:${limit.id}`, id])
    }
    for (const { space, epoch, places } of groups.values()) {
      for (let first = 0; first < places.length; first += RENEWED_AT_ONCE) {
        const some = places.slice(first, first + RENEWED_AT_ONCE).flat()
        const args = [prefixOf(space), String(epoch), String(this.#leaseMs), ...some]
        // A store that is away frees the places when their leases end.
        this.#connection.run(RENEW, epochKeyOf(space), args).catch(() => {})
      }
    }
  }

  #checkIdle(): void {
    if (this.#held.size + this.#openRequests > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}

// The braces keep all keys of a scenario on one node of a cluster.
const prefixOf = (space: string): string => `llm-api-mock:{${encodeURIComponent(space)}}:`
const epochKeyOf = (space: string): string => `${prefixOf(space)}epoch`
const isNumbers = (answer: unknown, count: number): answer is readonly number[] =>
  Array.isArray(answer) && answer.length === count && answer.every(Number.isSafeInteger)

const argumentsOf = (changes: readonly Change[]): string[] => [
  String(changes.length),
  ...changes.flatMap(([{ id, amount, windowMs }, count]) => [id, String(amount), String(windowMs), String(count)]),
]
