/** The injected faults of a mock: adding, listing and cancelling them. */

import type { Effect } from '../core/decide/state/apply-effects.ts'
import type { MockState } from '../core/decide/state/mock-state.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { describeInjection, type InjectedFault, readInjection } from './injection.ts'

const MAX_INJECTED = 1000

export class InjectedFaults {
  readonly #state: MockState
  readonly #change: (effect: Effect) => void
  /** Counts on after a reset, so that an id never names another injection. */
  #count = 0

  constructor(state: MockState, change: (effect: Effect) => void) {
    this.#state = state
    this.#change = change
  }

  /** Those that have calls left to apply to. */
  get waiting(): readonly InjectedFault[] {
    return this.#state.injections.map(describeInjection)
  }

  /**
   * @param like only calls like this one: with its key, endpoint, model and session.
   * @throws MockError when there is no such fault, an option is unknown or wrong, or 1,000 faults are waiting.
   */
  inject(fault: string | number, options: object = {}, like?: JournalEntry): void {
    if (this.#state.injections.length >= MAX_INJECTED) {
      throw new MockError(
        'too-many-faults',
        `Failed to inject '${fault}': ${MAX_INJECTED} faults are waiting already. Clear them first.`,
      )
    }
    this.#change({ type: 'inject', injection: readInjection(fault, options, ++this.#count, like) })
  }

  /** False if the fault has no calls left, or was cancelled already. */
  cancel(id: number): boolean {
    const injection = this.#state.injections.find((one) => one.id === id)
    if (injection !== undefined) this.#change({ type: 'cancel-injection', injection })
    return injection !== undefined
  }

  clear(): void {
    this.#change({ type: 'clear-injections' })
  }
}
