/**
 * Everything that a mock remembers between calls: what each API key, or each session of it, did before, and its prompt
 * cache; what the keys of a session share; injected faults, and how often each rule was used. Everything is bounded.
 *
 * Deciding a call reads it through `StateReader`; only `applyEffects` changes it. The cache of parsed bodies is the
 * exception: reading a body may store what was parsed, which changes no answer.
 */

import { LruMap } from '../../lib/cache/lru-map.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import { BodyCache } from '../../protocol/request/parse-body.ts'
import { initialPosition, positionAt, type StateMachine, type StatePosition } from '../../scenario/compile/states.ts'
import type { Match } from '../../scenario/conditions/condition.ts'
import { type CompletionReader, CompletionStore } from './completion-store.ts'
import { PromptCache, type PromptCacheReader } from './prompt-cache.ts'
import { Session, type SessionReader } from './session.ts'
import type { SessionId } from './session-id.ts'

const MAX_SESSIONS = 10_000

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
}

/** The state as deciding sees it. */
export interface StateReader
  extends Pick<MockState, 'bodies' | 'sessionOf' | 'usesOf' | 'elapsedMs' | 'positionAt' | 'endsAfter'> {
  readonly sessions: Iterable<readonly [id: SessionId, session: SessionReader]>
  readonly injections: readonly Injection[]
  readonly promptCache: PromptCacheReader
  readonly completions: CompletionReader
}

/** The state that all keys share; each session has its own. */
export class SharedState {
  /** Undefined until a call has moved the state machine. */
  position: StatePosition | undefined
  /** The ends of the calls that a pace serves, by the id of the pace. */
  readonly ends = new Map<string, number[]>()
}

const NOTHING_SHARED = new SharedState()

export class MockState implements StateReader {
  readonly bodies = new BodyCache()
  sessions = new LruMap<SessionId, Session>(MAX_SESSIONS)
  /** The state that the keys of all calls without a session share. */
  shared = new SharedState()
  /** The same for the keys of each session, by its name. */
  sharedBySession = new LruMap<string, SharedState>(MAX_SESSIONS)
  /** The position of state machines that no call has moved; undefined for the first state of the scenario. */
  entered: StatePosition | undefined
  injections: readonly Injection[] = []
  uses = new Map<string, number>()
  promptCache = new PromptCache()
  completions = new CompletionStore()
  startedAt: number

  /** @param now the time of the clock at the start, in milliseconds. */
  constructor(now = 0) {
    this.startedAt = now
  }

  /** The memory of a key or a session; empty for one that was not seen before. */
  sessionOf(id: SessionId): SessionReader {
    return this.sessions.get(id) ?? new Session(id)
  }

  #sharedOf(sessionName: string): SharedState {
    return sessionName === '' ? this.shared : (this.sharedBySession.get(sessionName) ?? NOTHING_SHARED)
  }

  /** The number of times that a rule, fault or limit was used, by its id: `replies[2]`. */
  usesOf(ruleId: string): number {
    return this.uses.get(ruleId) ?? 0
  }

  /** Milliseconds from the start, or the last reset, to a time of the clock. */
  elapsedMs(now: number): number {
    return Math.max(0, now - this.startedAt)
  }

  /** The position of the state machine of a session at a time; that of all calls without a session for ''. */
  positionAt(machine: StateMachine, elapsedMs: number, sessionName: string): StatePosition {
    const { position = this.entered ?? initialPosition(machine) } = this.#sharedOf(sessionName)
    return positionAt(machine, position, elapsedMs)
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
    this.sessions = new LruMap(MAX_SESSIONS)
    this.shared = new SharedState()
    this.sharedBySession = new LruMap(MAX_SESSIONS)
    this.entered = undefined
    this.injections = []
    this.promptCache = new PromptCache()
    this.uses = new Map()
    this.completions = new CompletionStore()
  }
}
