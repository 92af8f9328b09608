/**
 * Everything that a mock remembers between calls. Everything is bounded.
 *
 *   of each API key, or session of a key      what it did (session.ts), its prompt cache, its stored answers
 *   of the keys of a session, or of all keys  the position of the state machine, the calls being served
 *   of the scenario                           injected faults, and how often each rule was used
 *
 * Deciding a call reads it through `StateReader`; only `applyEffects` changes it. The cache of parsed bodies is the
 * exception: reading a body may store what was parsed, which changes no answer.
 */

import { LruMap } from '../../lib/cache/bounded-maps.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import { BodyCache } from '../../protocol/request/parse-body.ts'
import { initialPosition, positionAt, type StateMachine, type StatePosition } from '../../scenario/compile/states.ts'
import type { Match } from '../../scenario/conditions/condition.ts'
import { type AnswerReader, AnswerStore } from './answer-store.ts'
import { MAX_PREFIXES, PromptCache } from './prompt-cache.ts'
import type { Session, SessionReader } from './session.ts'
import { type SessionId, sessionNameIn } from './session-id.ts'

const MAX_SESSIONS = 10_000
/** The part of the bounds that the state of a session with a scenario of its own has: there may be a hundred. */
const OWN_SHARE = 1 / 10

/** A fault injected by code or over the control plane. */
export interface Injection {
  /** Names it, to cancel it. */
  readonly id: number
  readonly name: string
  readonly configured: ConfiguredFault
  readonly match: Match
  /** The selection of `match`, for people; the key is masked. */
  readonly only?: { readonly endpoint?: string; readonly model?: string; readonly key?: string }
  /** The only session it applies to; undefined for all calls. */
  readonly session?: string | undefined
  /** Number of matching calls that are left alone before it applies. */
  readonly delay: number
  /** Number of calls that it still applies to. */
  readonly remaining: number
  /** True once it has applied to a call. */
  readonly isUsed?: true
}

/** The state as deciding sees it. */
export interface StateReader extends Pick<MockState, 'bodies' | 'elapsedMs' | 'positionAt' | 'endsAfter'> {
  /** The memory of each key or session that has sent a call. */
  readonly sessions: Pick<LruMap<SessionId, SessionReader>, 'get'>
  readonly injections: readonly Injection[]
  readonly promptCache: Pick<PromptCache, 'holds'>
  readonly answers: AnswerReader
}

/** The state that all keys share; each session has its own. */
export class SharedState {
  /** Undefined until a call has moved the state machine. */
  position: StatePosition | undefined
  /** The ends of the calls that a pace serves, by the id of the pace. */
  readonly ends = new Map<string, number[]>()
}

export class MockState implements StateReader {
  readonly bodies = new BodyCache()
  /** The memory of each key, or session of a key. */
  sessions!: LruMap<SessionId, Session>
  /** The state that the keys of all calls without a session share. */
  shared = new SharedState()
  /** The same for the keys of each session, by its name. */
  sharedBySession!: LruMap<string, SharedState>
  /** The position of state machines that no call has moved; undefined for the first state of the scenario. */
  entered: StatePosition | undefined
  injections: readonly Injection[] = []
  /** The number of uses of each rule, fault and limit of the scenario, by its id. */
  uses = new Map<string, number>()
  promptCache!: PromptCache
  answers!: AnswerStore
  /** Time of the start, or of the last reset, in milliseconds of the clock. */
  startedAt!: number
  /** The part of the bounds that this state has. */
  readonly #share: number

  /**
   * @param now the time of the clock at the start, in milliseconds.
   * @param isOwn true for the state of a session with a scenario of its own, which remembers less.
   */
  constructor(now = 0, isOwn = false) {
    this.#share = isOwn ? OWN_SHARE : 1
    this.clear(now)
  }

  /** Milliseconds from the start, or the last reset, to a time of the clock. */
  elapsedMs(now: number): number {
    return Math.max(0, now - this.startedAt)
  }

  /** The position of the state machine of a session at a time; that of all calls without a session for ''. */
  positionAt(machine: StateMachine, elapsedMs: number, sessionName: string): StatePosition {
    const lastPosition = this.#sharedOf(sessionName).position ?? this.entered ?? initialPosition(machine)
    return positionAt(machine, lastPosition, elapsedMs)
  }

  /** The ends of the calls that a pace is serving at a time, the earliest first. */
  endsAfter(paceId: string, now: number, sessionName: string): readonly number[] {
    const ends = this.#sharedOf(sessionName).ends.get(paceId) ?? []
    const next = ends.findIndex((end) => end > now)
    if (next === 0) return ends
    return next < 0 ? [] : ends.slice(next)
  }

  /** Forgets everything and starts its time again. */
  clear(now: number): void {
    this.startedAt = now
    this.sessions = new LruMap(MAX_SESSIONS * this.#share)
    this.shared = new SharedState()
    this.sharedBySession = new LruMap(MAX_SESSIONS * this.#share)
    this.entered = undefined
    this.injections = []
    this.promptCache = new PromptCache(MAX_PREFIXES * this.#share)
    this.uses = new Map()
    this.answers = new AnswerStore(this.#share)
  }

  /** Forgets what the calls of a session did, and the faults that were injected for it. */
  clearSession(name: string): void {
    const isOf = (id: SessionId): boolean => sessionNameIn(id) === name
    this.sessions.drop(isOf)
    this.sharedBySession.drop((one) => one === name)
    this.injections = this.injections.filter(({ session }) => session !== name)
    this.promptCache.drop(isOf)
    this.answers.drop(isOf)
  }

  /** The state that the keys of a session share; that of all calls without a session for ''. */
  #sharedOf(sessionName: string): SharedState {
    return sessionName === '' ? this.shared : (this.sharedBySession.get(sessionName) ?? new SharedState())
  }
}
