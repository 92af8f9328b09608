/**
 * The order in which calls are decided: turns of the event loop, and queues of calls that take time.
 *
 * `Arrivals` spreads calls that arrive together over turns of the event loop, in their order.
 *
 * Node reads the requests of a thousand connections in one turn. Decided in it too, they would hold up the streams that
 * are being sent for half a second (`npm run bench -- --only paced`).
 */

import type { Call } from '../core/decide/call/call.ts'
import { identify, type SessionId } from '../core/decide/state/session.ts'
import { fakeTimers } from './clock/clock.ts'
import { setImmediate } from './clock/real-timers.ts'

/** Time in ms for calls in one turn. */
const MAX_TURN_MS = 5

export class Arrivals {
  /** The calls that are not decided yet, in order of arrival. */
  readonly #waiting: (() => void)[] = []
  /** The time after which calls wait for the next turn; undefined before the first call of a turn. */
  #endOfTurn: number | undefined

  /** Calls `decide` for a call: before it returns, or in a later turn, after the calls that came before. */
  add(decide: () => void): void {
    this.#endOfTurn ??= this.#beginTurn()
    const isOver = this.#waiting.length > 0 || performance.now() > this.#endOfTurn
    // A test that has faked the timers moves time itself, and may do so before the next turn.
    if (isOver && fakeTimers() === undefined) this.#waiting.push(decide)
    else decide()
  }

  #beginTurn(): number {
    setImmediate(() => {
      this.#endOfTurn = undefined
      if (this.#waiting.length > 0) this.#continue()
    })
    return performance.now() + MAX_TURN_MS
  }

  #continue(): void {
    this.#endOfTurn = this.#beginTurn()
    do this.#waiting.shift()!()
    while (this.#waiting.length > 0 && performance.now() <= this.#endOfTurn)
  }
}

/*
 * Begins calls that take time, such as one with shared limits, whose store is asked, and those that came after them.
 *
 * The calls of a key, or of one session of it, are admitted and begun in the order in which they arrived; a call may be
 * admitted before those before it are begun. Other calls do not wait. A client that leaves meanwhile changes nothing: its
 * call is decided and recorded.
 */

/** The calls of the same session that came before a call. */
export interface Before {
  readonly admitted: Promise<void>
  readonly begun: Promise<void>
}

/** Begins a call after the calls before it; calls `admitted` at the latest when its promise settles. */
type Begin<Begun> = (call: Call, before: Before, admitted: () => void) => Promise<Begun>

export class CallQueue<Begun> {
  readonly #begin: Begin<Begun>
  /** The last of the calls of each key or session that are not begun yet. */
  readonly #last = new Map<SessionId, Before>()

  constructor(begin: Begin<Begun>) {
    this.#begin = begin
  }

  /** True if a call of the same key or session is not begun yet. */
  precedes(call: Call): boolean {
    return this.#last.size > 0 && this.#last.has(identify(call).sessionId)
  }

  /** Calls `begun` or `failed` after the calls of the same session that came before. */
  add(call: Call, begun: (begun: Begun) => void, failed: (error: unknown) => void): void {
    const { sessionId } = identify(call)
    const before = this.#last.get(sessionId) ?? { admitted: Promise.resolve(), begun: Promise.resolve() }
    let admit!: () => void
    const admitted = new Promise<void>((resolve) => {
      admit = resolve
    })
    const last = {
      admitted,
      begun: this.#begin(call, before, admit)
        .then(begun)
        .catch(failed)
        .finally(() => {
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
