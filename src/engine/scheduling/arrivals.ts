/**
 * Spreads calls that arrive together over turns of the event loop, in their order.
 *
 * Node reads the requests of a thousand connections in one turn. Decided in it too, they would hold up the streams that
 * are being sent for half a second (`npm run bench -- --only pacing`).
 */
import { fakeTimers } from '../clock/clock.ts'
import { setImmediate } from '../clock/real-timers.ts'

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
