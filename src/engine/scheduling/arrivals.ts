/**
 * Spreads calls that arrive together over turns of the event loop, in their order.
 *
 * Node reads the requests of a thousand connections in one turn. Decided in it too, they would hold up the streams that
 * are being sent for half a second (`npm run bench -- --only pacing`).
 */
import type { Call } from '../../core/decide/call/call-context.ts'
import { UNITS_PER_TURN } from '../../core/lib/work/steps.ts'
import { fakeTimers } from '../clock/clock.ts'
import { setImmediate } from '../clock/real-timers.ts'
import { TurnAllowance } from './turn-allowance.ts'

/** What deciding a call takes besides its computations, in units of work. It reads the whole body. */
const UNITS_PER_CALL = 100
const CHARACTERS_PER_UNIT = 50
/** What each event of its plan takes, until the first one is sent. */
const UNITS_PER_EVENT = 1

export const unitsToDecide = ({ body }: Call): number => UNITS_PER_CALL + (body?.length ?? 0) / CHARACTERS_PER_UNIT

type RunLater = (run: () => void) => void

export class Arrivals {
  readonly #nextTurn: RunLater
  readonly #allowance: TurnAllowance
  /** The calls that are not decided yet, in order of arrival. */
  readonly #waiting = new Set<() => void>()

  /** @param nextTurn calls a function in the next turn of the event loop. */
  constructor(nextTurn: RunLater = (run) => void setImmediate(run)) {
    this.#nextTurn = nextTurn
    // The same from the start on: where streams take most of a turn, calls would wait for seconds.
    this.#allowance = new TurnAllowance(nextTurn, UNITS_PER_TURN)
  }

  /** Calls `decide` for a call: before it returns, or in a later turn, after the calls that came before. */
  add(call: Call, decide: () => void): void {
    const run = (): void => {
      this.#allowance.spend(unitsToDecide(call))
      decide()
    }
    // A test that has faked the timers moves time itself, and may do so before the next turn.
    if (fakeTimers() !== undefined || (this.#waiting.size === 0 && this.#allowance.left > 0)) return run()
    this.#waiting.add(run)
    if (this.#waiting.size === 1) this.#runInNextTurn()
  }

  /** Counts what a call took besides, whose plan has so many events. */
  spend(events: number): void {
    this.#allowance.spend(events * UNITS_PER_EVENT)
  }

  #runInNextTurn(): void {
    this.#nextTurn(() => {
      this.#allowance.renew()
      try {
        for (const run of this.#waiting) {
          if (this.#allowance.left <= 0) break
          this.#waiting.delete(run)
          run()
        }
      } finally {
        if (this.#waiting.size > 0) this.#runInNextTurn()
      }
    })
  }
}
