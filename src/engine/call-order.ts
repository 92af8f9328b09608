/**
 * The order in which calls are decided: at once, unless this file finds a reason to wait.
 *
 *     Arrivals     a thousand calls arrive together        each turn of the event loop decides 5 ms of them
 *     isHeavy      one call would block the event loop     a server rehearses it first, on a worker thread
 *     CallQueue    a call follows a slow one of its key    it is decided after that one
 */

import type { Call } from '../core/decide/call/call.ts'
import { identify } from '../core/decide/call/call-context.ts'
import { type AnswerReader, MIN_LONG_LENGTH } from '../core/decide/state/answer-store.ts'
import type { SessionId } from '../core/decide/state/session-id.ts'
import { fakeTimers } from './clock/clock.ts'
import { setImmediate } from './clock/real-timers.ts'

/** Time in ms for deciding calls in one turn of the event loop. */
const MAX_TURN_MS = 5

/**
 * Node reads the requests of a thousand connections in one turn. Decided in it too, they would hold up the streams that
 * are being sent for half a second (`npm run bench -- --only paced`).
 */
export class Arrivals {
  /** The calls that are not decided yet, in order of arrival. */
  readonly #waiting: (() => void)[] = []
  /** The time after which calls wait for the next turn; undefined before the first call of a turn. */
  #endOfTurn: number | undefined

  /** Calls `decide` for a call: before it returns, or in a later turn, after the calls that came before. */
  add(decide: () => void): void {
    if (this.#endOfTurn === undefined) {
      this.#endOfTurn = performance.now() + MAX_TURN_MS
      setImmediate(this.#endTurn)
    }
    const mustWait = this.#waiting.length > 0 || performance.now() > this.#endOfTurn
    // A test that has faked the timers moves time itself, and may do so before the next turn.
    if (mustWait && fakeTimers() === undefined) this.#waiting.push(decide)
    else decide()
  }

  /** Ends a turn, and decides the calls that wait in the next one. */
  readonly #endTurn = (): void => {
    this.#endOfTurn = undefined
    if (this.#waiting.length === 0) return
    this.#endOfTurn = performance.now() + MAX_TURN_MS
    setImmediate(this.#endTurn)
    do this.#waiting.shift()!()
    while (this.#waiting.length > 0 && performance.now() <= this.#endOfTurn)
  }
}

/** Length of a body from which a call is heavy: counting the tokens of 65,536 spaces takes 40 ms. */
const MIN_HEAVY_LENGTH = 65_536
/** A short body is heavy too if a value of its schema is long, or if the references of the schema multiply. */
const LONG_VALUE = /"min(?:Items|Length|Properties)":\s*\d{4}/
const MANY_REFERENCES = 16

/** True for a call over HTTP that would hold the event loop for long. @param answers the stored ones, which the call may name. */
export function isHeavy(call: Call, answers: AnswerReader): boolean {
  const { body, transport } = call
  if (transport !== 'http' || body === undefined) return false
  let lengthWithStored = body.length
  const named = answers.longCount > 0 ? answers.responsesNamedIn(identify(call).sessionId, body) : []
  for (const { answer, request } of named) {
    const storedLength = answer.length + request.length
    if (storedLength >= MIN_LONG_LENGTH) lengthWithStored += storedLength
  }
  if (lengthWithStored >= MIN_HEAVY_LENGTH || LONG_VALUE.test(body)) return true
  return body.includes('"$ref"') && body.split('"$ref"').length > MANY_REFERENCES
}

/** The end of each part of a call, and so of all calls of its session before it. */
interface Progress {
  readonly admitted: Promise<void>
  readonly begun: Promise<void>
}

/** The turn of a call among those of its session. */
export interface CallTurn {
  /** The progress of the call before it. */
  readonly before: Progress
  /** Lets the next call be admitted. Only the first time counts. */
  readonly admitted: () => void
}

/**
 * Calls that take time, such as one with shared limits, whose store is asked, and those that came after them.
 *
 * The calls of a session (of a key, or a named one of it) are admitted and begun in the order in which they arrived; a call
 * may be admitted before those before it are begun. Other calls do not wait. A client that leaves meanwhile changes nothing:
 * its call is decided and recorded.
 */
export class CallQueue {
  /** The last call of each session with calls that are not begun yet. */
  readonly #last = new Map<SessionId, Progress>()

  /** True if a call has to wait for another one of its session. */
  precedes(call: Call): boolean {
    return this.#last.size > 0 && this.#last.has(identify(call).sessionId)
  }

  /** Begins a call. @param begin waits for the calls before it. */
  add(call: Call, begin: (turn: CallTurn) => Promise<void>): void {
    const { sessionId } = identify(call)
    const before = this.#last.get(sessionId) ?? { admitted: Promise.resolve(), begun: Promise.resolve() }
    let admit!: () => void
    const admitted = new Promise<void>((resolve) => {
      admit = resolve
    })
    const begun = begin({ before, admitted: admit }).finally(() => {
      // One that failed before it was admitted must not hold up the next.
      admit()
      if (this.#last.get(sessionId) === progress) this.#last.delete(sessionId)
    })
    const progress = { admitted, begun }
    this.#last.set(sessionId, progress)
  }

  /** Resolves when all calls of the queue are begun. */
  async settled(): Promise<void> {
    await Promise.all([...this.#last.values()].map(({ begun }) => begun))
  }
}
