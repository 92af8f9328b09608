/** Effects: what a decision changes in the state, as data; and the one function that applies them. */

import type { Amounts } from '../../scenario/compile/budget.ts'
import type { Rate } from '../../scenario/compile/limits.ts'
import type { StatePosition } from '../../scenario/compile/states.ts'
import type { StoredAnswer } from './answer-store.ts'
import { LeakyBucket } from './leaky-bucket.ts'
import type { LimitRequest, StoredLevels } from './limit-request.ts'
import { type Injection, type MockState, SharedState } from './mock-state.ts'
import type { CacheEntry } from './prompt-cache.ts'
import { type Reservation, Session } from './session.ts'
import type { SessionId } from './session-id.ts'

/** The most calls that one pace is serving. A call more forgets the one that ends first. */
const MAX_IN_SERVICE = 20_000

/** One change of the state. Times are in milliseconds of the clock. */
export type Effect =
  /** The key or session has sent this request once more. */
  | { readonly type: 'count-attempt'; readonly sessionId: SessionId; readonly fingerprint: number }
  /** A sequence advanced, or a fault schedule counted a call. */
  | { readonly type: 'count'; readonly sessionId: SessionId; readonly counter: string }
  /** A rule, fault or limit of the scenario was used. */
  | { readonly type: 'count-use'; readonly ruleId: string }
  /** The state machine of a session advanced, or was moved by hand; that of calls without a session for ''. */
  | { readonly type: 'set-position'; readonly position: StatePosition; readonly sessionName: string }
  /** Every state machine was moved by hand. */
  | { readonly type: 'enter'; readonly position: StatePosition }
  /** The limits count the call: one request, its estimated tokens, and one place among the calls in flight. */
  | { readonly type: 'reserve'; readonly reservation: Reservation; readonly now: number }
  /** A store has said what is used of shared limits. */
  | { readonly type: 'load-limits'; readonly demand: LimitRequest; readonly levels: StoredLevels; readonly now: number }
  /** The call has ended: its place is free, and its tokens are those that it really used. */
  | { readonly type: 'settle'; readonly reservation: Reservation; readonly usedTokens: number; readonly now: number }
  /** An answered call uses the budget of its key. */
  | { readonly type: 'charge'; readonly sessionId: SessionId; readonly cost: Amounts }
  /** A pace with a queue or a load serves the call until it ends. */
  | {
      readonly type: 'serve'
      readonly sessionName: string
      readonly paceId: string
      readonly endsAt: number
      readonly now: number
    }
  /** The prompt of the call is in the cache of its key or session. */
  | { readonly type: 'cache-prompt'; readonly sessionId: SessionId; readonly entries: readonly CacheEntry[] }
  /** An answer was stored, or the metadata of one changed. */
  | { readonly type: 'store-answer'; readonly answer: StoredAnswer }
  | { readonly type: 'delete-answer'; readonly sessionId: SessionId; readonly id: string }
  | { readonly type: 'inject'; readonly injection: Injection }
  /** An injected fault applied to one call, or left it alone because its turn comes later. */
  | { readonly type: 'spend'; readonly injection: Injection }
  | { readonly type: 'cancel-injection'; readonly injection: Injection }
  /** Everything is forgotten, or what belongs to one session. */
  | { readonly type: 'reset'; readonly now: number }
  | { readonly type: 'reset-session'; readonly sessionName: string }

/**
 * Applies effects in order. Nothing else changes the state.
 * @throws the first failure of an effect, once all others are applied: a slot that one call keeps would block others.
 */
export function applyEffects(state: MockState, effects: readonly Effect[]): void {
  const failures: unknown[] = []
  for (const effect of effects) {
    try {
      apply(state, effect)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

function apply(state: MockState, effect: Effect): void {
  switch (effect.type) {
    case 'count-attempt':
      return increment(sessionFor(state, effect.sessionId).attempts, effect.fingerprint)
    case 'count':
      return increment(sessionFor(state, effect.sessionId).counts, effect.counter)
    case 'count-use':
      return increment(state.uses, effect.ruleId)
    case 'set-position':
      sharedFor(state, effect.sessionName).position = effect.position
      return
    case 'enter':
      state.entered = effect.position
      state.shared.position = undefined
      for (const [, shared] of state.sharedBySession) shared.position = undefined
      return
    case 'reserve':
      return reserve(sessionFor(state, effect.reservation.sessionId), effect.reservation, effect.now)
    case 'load-limits':
      return loadLimits(sessionFor(state, effect.demand.sessionId), effect)
    case 'settle':
      return settle(state.sessions.get(effect.reservation.sessionId), effect)
    case 'charge': {
      const session = sessionFor(state, effect.sessionId)
      const [{ requests, tokens, usd }, cost] = [session.spent, effect.cost]
      session.spent = { requests: requests + cost.requests, tokens: tokens + cost.tokens, usd: usd + cost.usd }
      return
    }
    case 'serve':
      return serve(state, effect)
    case 'cache-prompt':
      return state.promptCache.write(effect.sessionId, effect.entries)
    case 'store-answer':
      return state.answers.put(effect.answer)
    case 'delete-answer':
      return state.answers.delete(effect.sessionId, effect.id)
    case 'inject':
      state.injections = [...state.injections, effect.injection]
      return
    case 'spend':
      state.injections = state.injections.flatMap((injection) => {
        if (injection !== effect.injection) return [injection]
        const { delay, remaining } = injection
        if (delay > 0) return [{ ...injection, delay: delay - 1 }]
        return remaining > 1 ? [{ ...injection, remaining: remaining - 1, isUsed: true }] : []
      })
      return
    case 'cancel-injection':
      state.injections = state.injections.filter((injection) => injection !== effect.injection)
      return
    case 'reset':
      return state.clear(effect.now)
    case 'reset-session':
      return state.clearSession(effect.sessionName)
    default:
      effect satisfies never
  }
}

/** The session of an effect, which becomes the one that was used last. */
function sessionFor({ sessions }: MockState, id: SessionId): Session {
  const session = sessions.get(id) ?? new Session(id)
  sessions.set(id, session)
  return session
}

/** The state that the keys of a session share, made when it is first needed. */
function sharedFor({ shared, sharedBySession }: MockState, sessionName: string): SharedState {
  if (sessionName === '') return shared
  const ofSession = sharedBySession.get(sessionName) ?? new SharedState()
  sharedBySession.set(sessionName, ofSession)
  return ofSession
}

const increment = <Key>(counts: Map<Key, number>, key: Key): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

function reserve(session: Session, reservation: Reservation, now: number): void {
  const { requests, tokens, concurrent } = reservation.limits
  session.reservations.add(reservation)
  for (const limit of concurrent) {
    const calls = session.usedConcurrency.get(limit) ?? new Set()
    session.usedConcurrency.set(limit, calls.add(reservation))
  }
  for (const rate of requests) bucketFor(session, rate).use(1, now)
  for (const rate of tokens) bucketFor(session, rate).use(reservation.tokens, now)
}

/** Takes over the levels of the store of shared limits. The calls in flight of this process are among those of the store. */
function loadLimits(session: Session, { demand, levels, now }: Extract<Effect, { type: 'load-limits' }>): void {
  const { requests, tokens, concurrent } = demand.limits
  for (const [index, rate] of [...requests, ...tokens].entries())
    bucketFor(session, rate).load(levels.rates[index]!, now)
  session.inFlightElsewhere ??= new Map()
  for (const [index, limit] of concurrent.entries())
    session.inFlightElsewhere.set(limit, levels.concurrent[index]! - session.inFlight(limit).size)
}

function bucketFor(session: Session, rate: Rate): LeakyBucket {
  const bucket = session.usedRates.get(rate) ?? new LeakyBucket(rate)
  session.usedRates.set(rate, bucket)
  return bucket
}

/** Settles a call once. A call from before a reset is unknown to the session and changes nothing. */
function settle(
  session: Session | undefined,
  { reservation, usedTokens, now }: Extract<Effect, { type: 'settle' }>,
): void {
  if (session?.reservations.delete(reservation) !== true) return
  for (const limit of reservation.limits.concurrent) session.usedConcurrency.get(limit)?.delete(reservation)
  for (const rate of reservation.limits.tokens) session.usedRates.get(rate)?.use(usedTokens - reservation.tokens, now)
}

/** Adds the end of a call to those of its pace, which stay in order, and removes the ends that have passed. */
function serve(state: MockState, { sessionName, paceId, endsAt, now }: Extract<Effect, { type: 'serve' }>): void {
  const shared = sharedFor(state, sessionName)
  const ends = shared.ends.get(paceId) ?? []
  const next = ends.findIndex((end) => end > now)
  ends.splice(0, next < 0 ? ends.length : next)
  ends.splice(ends.findLastIndex((end) => end <= endsAt) + 1, 0, endsAt)
  if (ends.length > MAX_IN_SERVICE) ends.shift()
  shared.ends.set(paceId, ends)
}
