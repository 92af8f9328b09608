/**
 * Everything that a mock remembers between calls: one session per API key, injected faults, how often each rule was
 * used, and for all keys together the position of the state machine and the calls being served. Everything is bounded.
 *
 * Deciding a call reads it through `StateReader`; only `applyEffects` changes it. The cache of parsed bodies is the
 * exception: reading a body may store what was parsed, which changes no answer.
 */

import { LruMap } from '../cache/lru-map.ts'
import type { ConfiguredFault } from '../faults/fault.ts'
import { BodyCache } from '../request/parse-body.ts'
import { initialPosition, positionAt, type StateMachine, type StatePosition } from '../scenario/compile/states.ts'
import type { Match } from '../scenario/conditions/match.ts'
import { Session, type SessionReader } from './session.ts'

const MAX_SESSIONS = 10_000

/** A fault injected by code or over the control plane. */
export interface Injection {
  readonly name: string
  readonly configured: ConfiguredFault
  readonly match: Match
  /** How many calls it still applies to. */
  readonly remaining: number
}

/** The state as deciding sees it. */
export interface StateReader {
  readonly bodies: BodyCache
  /** The session of a key; an empty one for a key that was not seen before. */
  sessionOf(key: string): SessionReader
  readonly sessions: Iterable<readonly [key: string, session: SessionReader]>
  readonly injections: readonly Injection[]
  /** How often a rule, fault or limit was used, by its id: `replies[2]`. */
  usesOf(ruleId: string): number
  /** Milliseconds from the start, or the last reset, to a time of the clock. */
  elapsedMs(now: number): number
  /** Where the state machine is at a time. */
  positionAt(machine: StateMachine, elapsedMs: number): StatePosition
  /** When the calls that a pace is serving at a time will end, the earliest first. */
  endsAfter(paceId: string, now: number): readonly number[]
}

export class MockState implements StateReader {
  readonly bodies = new BodyCache()
  sessions = new LruMap<string, Session>(MAX_SESSIONS)
  injections: readonly Injection[] = []
  uses = new Map<string, number>()
  ends = new Map<string, number[]>()
  position: StatePosition | undefined
  startedAt: number

  /** @param now the time of the clock at the start, in milliseconds. */
  constructor(now = 0) {
    this.startedAt = now
  }

  sessionOf(key: string): SessionReader {
    return this.sessions.get(key) ?? new Session(key)
  }

  usesOf(ruleId: string): number {
    return this.uses.get(ruleId) ?? 0
  }

  elapsedMs(now: number): number {
    return Math.max(0, now - this.startedAt)
  }

  positionAt(machine: StateMachine, elapsedMs: number): StatePosition {
    return positionAt(machine, this.position ?? initialPosition(machine), elapsedMs)
  }

  endsAfter(paceId: string, now: number): readonly number[] {
    const ends = this.ends.get(paceId) ?? []
    const next = ends.findIndex((end) => end > now)
    if (next === 0) return ends
    return next < 0 ? [] : ends.slice(next)
  }

  /** Forgets everything and starts its time again. */
  clear(now: number): void {
    this.startedAt = now
    this.position = undefined
    this.sessions = new LruMap(MAX_SESSIONS)
    this.injections = []
    this.ends = new Map()
    this.uses = new Map()
  }
}
