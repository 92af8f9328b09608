/**
 * The order in which calls are decided. `Arrivals` spreads calls that arrive together over turns of the event loop; `isHeavy`
 * finds calls that a server rehearses first; `CallQueue` keeps the order of a key's calls while one of them takes time.
 */

import type { Call } from '../core/decide/call/call.ts'
import { identify } from '../core/decide/call/call-context.ts'
import { type AnswerReader, MIN_LONG_LENGTH } from '../core/decide/state/answer-store.ts'
import type { SessionId } from '../core/decide/state/session.ts'
import { fakeTimers } from './clock/clock.ts'
import { setImmediate } from './clock/real-timers.ts'

/** Time in ms for calls in one turn. */
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
    const isOver = this.#waiting.length > 0 || performance.now() > this.#endOfTurn
    // A test that has faked the timers moves time itself, and may do so before the next turn.
    if (isOver && fakeTimers() === undefined) this.#waiting.push(decide)
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
  // With the long stored responses that the body names.
  let { length } = body
  const named = answers.hasLong ? answers.responsesNamedIn(identify(call).sessionId, body) : []
  for (const { answer, request } of named) {
    const storedLength = answer.length + request.length
    if (storedLength >= MIN_LONG_LENGTH) length += storedLength
  }
  if (length >= MIN_HEAVY_LENGTH || LONG_VALUE.test(body)) return true
  return body.includes('"$ref"') && body.split('"$ref"').length > MANY_REFERENCES
}

/** The calls of the same session that came before a call. */
export interface Before {
  readonly admitted: Promise<void>
  readonly begun: Promise<void>
}

/**
 * Calls that take time, such as one with shared limits, whose store is asked, and those that came after them.
 *
 * The calls of a key, or of one session of it, are admitted and begun in the order in which they arrived; a call may be
 * admitted before those before it are begun. Other calls do not wait. A client that leaves meanwhile changes nothing: its
 * call is decided and recorded.
 */
export class CallQueue {
  /** The last of the calls of each key or session that are not begun yet. */
  readonly #last = new Map<SessionId, Before>()

  /** True if a call of the same key or session is not begun yet. */
  precedes(call: Call): boolean {
    return this.#last.size > 0 && this.#last.has(identify(call).sessionId)
  }

  /** Begins a call. @param begin waits for the calls before it, and calls `admitted` at the latest when its promise resolves. */
  add(call: Call, begin: (before: Before, admitted: () => void) => Promise<void>): void {
    const { sessionId } = identify(call)
    const before = this.#last.get(sessionId) ?? { admitted: Promise.resolve(), begun: Promise.resolve() }
    let admit!: () => void
    const admitted = new Promise<void>((resolve) => {
      admit = resolve
    })
    const last = {
      admitted,
      begun: begin(before, admit).finally(() => {
        admit()
        if (this.#last.get(sessionId) === last) this.#last.delete(sessionId)
      }),
    }
    this.#last.set(sessionId, last)
  }

  /** Resolves when all calls of the queue are begun. */
  async settled(): Promise<void> {
    await Promise.all([...this.#last.values()].map(({ begun }) => begun))
  }
}
