/**
 * How much work one turn of the event loop is for, over all calls that arrive in it.
 *
 * At first it is little, because code runs ten times slower until it is compiled. Work is counted and not measured, so
 * the same calls in the same turns have the same allowance on every machine.
 */
import type { Allowance } from '../../core/lib/work/preparation.ts'
import { UNITS_PER_TURN } from '../../core/lib/work/steps.ts'

const UNITS_PER_COLD_TURN = 1_000
/** The units after which code counts as compiled. */
const COLD_UNITS = 200_000

export class TurnAllowance implements Allowance {
  readonly #nextTurn: (run: () => void) => void
  readonly #unitsPerColdTurn: number
  #left: number
  #spent = 0
  #isRenewing = false

  /**
   * @param nextTurn calls a function in the next turn of the event loop.
   * @param unitsPerColdTurn the units of a turn at first.
   */
  constructor(nextTurn: (run: () => void) => void, unitsPerColdTurn = UNITS_PER_COLD_TURN) {
    this.#nextTurn = nextTurn
    this.#unitsPerColdTurn = unitsPerColdTurn
    this.#left = unitsPerColdTurn
  }

  get left(): number {
    return this.#left
  }

  spend(units: number): void {
    this.#left -= units
    this.#spent += units
    if (this.#isRenewing) return
    this.#isRenewing = true
    this.#nextTurn(() => {
      this.#isRenewing = false
      this.renew()
    })
  }

  /** Call it when a turn begins. */
  readonly renew = (): void => {
    this.#left = this.#spent < COLD_UNITS ? this.#unitsPerColdTurn : UNITS_PER_TURN
  }
}
