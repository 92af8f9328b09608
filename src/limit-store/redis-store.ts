/**
 * Limits in Redis or Valkey: one script reserves what a call takes, another one settles it when the call has ended.
 *
 *     reserve('default', { sessionId, limits, tokens: 90 })     -> { reservationId: 'a1b2-0', levels: ... }
 *     settle('a1b2-0', 12)                                      the store gets 78 tokens back
 *
 * A script may have run although its answer was lost. Such a reservation is given back, at once or when the store is back.
 */

import type { LimitRequest, StoredVerdict } from '../core/decide/state/limit-request.ts'
import type { Limits, Rate } from '../core/scenario/compile/limits.ts'
import type { LimitStore, ReportStore } from './limit-store.ts'
import type { StoreModules } from './load-store-modules.ts'
import { LostAnswer, RedisConnection } from './redis-connection.ts'
import { RENEW, RESERVE, RESET, SETTLE } from './scripts.ts'

/** The time for which the store keeps a place that its process does not renew. */
const LEASE_MS = 30_000
/** Number of places that one script renews, so that it does not hold up the store. */
const RENEWED_AT_ONCE = 500
/** The time that calls in flight have to end when the store is closed. */
const MAX_CLOSING_MS = 1_000
/** The most reservations with a lost answer that are remembered while the store is away. */
const MAX_LOST = 100_000

/** The reservation of a call. */
interface Reservation {
  readonly space: string
  /** The session of the call, hashed. */
  readonly owner: string
  /** Undefined when its answer was lost. */
  readonly epoch: number | undefined
  readonly limits: Limits
  readonly tokens: number
}

/** A function, because Node loads this module when it is first called: see scripts/lazy-modules.ts. */
export function createRedisStore(url: string, report: ReportStore, modules: StoreModules): LimitStore {
  return new RedisLimitStore(url, report, modules)
}

export class RedisLimitStore implements LimitStore {
  readonly #connection: RedisConnection
  readonly #modules: StoreModules
  readonly #leaseMs: number
  /** The name of this process to the store, with which the ids of its reservations begin. */
  readonly #name: string
  /** The number of the next reservation. */
  #nextNumber = 0
  /** The reservations of calls that have not ended, by id. */
  readonly #reservations = new Map<string, Reservation>()
  /** Ids of reservations whose answers were read, which the next reservation tells the store. */
  readonly #readAnswers: string[] = []
  /** Number of requests for a reservation that are not answered yet. */
  #openRequests = 0
  /** Reservations with a lost answer, to give back as soon as the store is back. */
  readonly #lost = new Map<string, Reservation>()
  /** The spaces to reset as soon as the store is back. */
  readonly #missedResets = new Set<string>()
  /** The timer that renews the leases of places; it runs while calls have places. */
  #renewing: ReturnType<typeof setInterval> | undefined
  /** Resolves the promises of `#idle`: called when no call is in flight any more. */
  readonly #whenIdle: (() => void)[] = []

  /** @param leaseMs shorter in tests. */
  constructor(url: string, report: ReportStore, modules: StoreModules, leaseMs = LEASE_MS) {
    // What could not be told while the store was away, before any script of a call.
    const onConnect = (): void => {
      const spaces = [...this.#missedResets]
      this.#missedResets.clear()
      for (const space of spaces) this.reset(space)
      const lost = [...this.#lost]
      this.#lost.clear()
      for (const [id, reservation] of lost) this.#giveBack(id, reservation)
    }
    this.#connection = new RedisConnection(url, [RESERVE, SETTLE, RENEW, RESET], { report, onConnect }, modules)
    this.#modules = modules
    this.#name = modules.randomBytes(8).toString('hex')
    this.#leaseMs = leaseMs
  }

  async reserve(space: string, { sessionId, limits, tokens }: LimitRequest): Promise<StoredVerdict> {
    const id = `${this.#name}-${(this.#nextNumber++).toString(36)}`
    // Not the key itself: others may read the store.
    const owner = this.#modules.hash('sha256', sessionId, 'base64url').slice(0, 22)
    const changes = changesOf(limits, { requests: 1, tokens })
    const places = limits.concurrent.flatMap(({ id: key, most }) => [key, String(most)])
    const lease = String(this.#leaseMs)
    const readAnswers = this.#readAnswers.splice(0)
    const args = [prefixOf(space), owner, id, readAnswers.join(' '), lease, ...argumentsOf(changes), ...places]
    this.#openRequests++
    try {
      const answer = await this.#connection.run(RESERVE, epochKeyOf(space), args)
      if (!isNumbers(answer, 2 + changes.length + limits.concurrent.length))
        throw new Error(`${this.#connection.name} answers what Redis would not`)
      const [verdict, epoch = 0, ...levels] = answer
      const isReserved = verdict === 1
      if (isReserved) {
        this.#readAnswers.push(id)
        this.#keep(id, { space, owner, epoch, limits, tokens })
      }
      return {
        reservationId: isReserved ? id : undefined,
        levels: { rates: levels.slice(0, changes.length), concurrent: levels.slice(changes.length) },
      }
    } catch (error) {
      // The store may not have got them.
      this.#readAnswers.push(...readAnswers)
      if (error instanceof LostAnswer) this.#giveBack(id, { space, owner, epoch: undefined, limits, tokens })
      throw error
    } finally {
      this.#openRequests--
      this.#checkIdle()
    }
  }

  settle(id: string, usedTokens?: number): void {
    const reservation = this.#reservations.get(id)
    // It is undefined for a reservation of another store.
    if (reservation === undefined) return
    this.#reservations.delete(id)
    // If the store is away, the tokens drain, and the lease of a place ends.
    this.#sendChange(id, reservation, usedTokens).catch(() => {})
    this.#checkIdle()
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
    // A call that ends later is settled over a new connection, which `retire` closes.
    await this.#connection.withinTime(this.retire(), MAX_CLOSING_MS).catch(() => this.#disconnect())
  }

  async #disconnect(): Promise<void> {
    this.#stopRenewing()
    await this.#connection.close()
  }

  /** Remembers the reservation of a call until the call ends, and renews its places until then. */
  #keep(id: string, reservation: Reservation): void {
    this.#reservations.set(id, reservation)
    if (reservation.limits.concurrent.length === 0 || this.#renewing !== undefined) return
    this.#renewing = this.#modules.timers.setInterval(() => this.#renew(), this.#leaseMs / 3)
    this.#renewing.unref?.()
  }

  /** Gives a reservation back that the store may have made; the store does so once. */
  #giveBack(id: string, reservation: Reservation): void {
    this.#sendChange(id, reservation).catch(() => {
      if (this.#lost.size < MAX_LOST) this.#lost.set(id, reservation)
    })
  }

  /** @param usedTokens those that the call really used; undefined gives everything back. */
  async #sendChange(id: string, reservation: Reservation, usedTokens?: number): Promise<void> {
    const { space, owner, epoch = '', limits, tokens } = reservation
    const counts =
      usedTokens === undefined ? { requests: -1, tokens: -tokens } : { requests: 0, tokens: usedTokens - tokens }
    const changes = changesOf(limits, counts).filter(([, count]) => count !== 0)
    const places = limits.concurrent.map((limit) => limit.id)
    if (changes.length + places.length === 0) return
    const args = [prefixOf(space), owner, id, String(epoch), ...argumentsOf(changes), ...places]
    await this.#connection.run(SETTLE, epochKeyOf(space), args)
  }

  /** Renews the leases of all places, with one script for each space and epoch. */
  #renew(): void {
    if (this.#reservations.size === 0) return this.#stopRenewing()
    // For each place its owner and key, and its reservation.
    const groups = new Map<string, Pick<Reservation, 'space' | 'epoch'> & { readonly places: string[][] }>()
    for (const [id, { space, owner, epoch, limits }] of this.#reservations) {
      const name = `${epoch} ${space}`
      const group = groups.get(name) ?? { space, epoch, places: [] }
      groups.set(name, group)
      for (const limit of limits.concurrent) group.places.push([`${owner}:${limit.id}`, id])
    }
    for (const { space, epoch, places } of groups.values()) {
      for (let first = 0; first < places.length; first += RENEWED_AT_ONCE) {
        const renewed = places.slice(first, first + RENEWED_AT_ONCE).flat()
        const args = [prefixOf(space), String(epoch), String(this.#leaseMs), ...renewed]
        // A store that is away frees the places when their leases end.
        this.#connection.run(RENEW, epochKeyOf(space), args).catch(() => {})
      }
    }
  }

  #stopRenewing(): void {
    this.#modules.timers.clearInterval(this.#renewing)
    this.#renewing = undefined
  }

  /** Resolves when no call is in flight. */
  #idle(): Promise<void> {
    const idle = new Promise<void>((resolve) => this.#whenIdle.push(resolve))
    this.#checkIdle()
    return idle
  }

  #checkIdle(): void {
    if (this.#reservations.size + this.#openRequests > 0) return
    for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}

// The braces keep all keys of a scenario on one node of a cluster.
const prefixOf = (space: string): string => `llm-api-mock:{${encodeURIComponent(space)}}:`
const epochKeyOf = (space: string): string => `${prefixOf(space)}epoch`

/** A change of a rate's count. */
type Change = readonly [rate: Rate, count: number]

/** @param counts the requests and tokens that a call takes from its limits, or gives back to them (below 0). */
const changesOf = (
  limits: Limits,
  { requests, tokens }: Readonly<Record<'requests' | 'tokens', number>>,
): readonly Change[] => [
  ...limits.requests.map((rate): Change => [rate, requests]),
  ...limits.tokens.map((rate): Change => [rate, tokens]),
]

/** Changes as arguments of a script: their number, and four arguments for each. */
const argumentsOf = (changes: readonly Change[]): readonly string[] => [
  String(changes.length),
  ...changes.flatMap(([{ id, amount, windowMs }, count]) => [id, String(amount), String(windowMs), String(count)]),
]

const isNumbers = (answer: unknown, count: number): answer is readonly number[] =>
  Array.isArray(answer) && answer.length === count && answer.every(Number.isSafeInteger)
