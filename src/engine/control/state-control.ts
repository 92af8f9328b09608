/**
 * The state machine of a mock's scenario, for code and the control plane: where it is, and moving it to another state.
 *
 *     mock.enter('down')     mock.state: 'down'
 */

import { didYouMean } from '../../core/lib/text/did-you-mean.ts'
import { describeGiven, invalidOption } from '../../core/protocol/errors/check-options.ts'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import { describePosition, type StateStatus } from '../../core/scenario/compile/states.ts'
import type { Tenant } from '../tenant.ts'

const MAX_SHOWN_SESSIONS = 100

/** The position of the state machine of a session. */
export interface SessionPosition extends StateStatus {
  readonly session: string
}

export class StateControl {
  readonly #tenant: Tenant
  /** The only session that it reads and moves. Undefined: it reads calls without a session, and moves all calls. */
  readonly #session: string | undefined

  constructor(tenant: Tenant, session?: string) {
    this.#tenant = tenant
    this.#session = session
  }

  /** The state that calls of its session find, or those without a session; undefined for a scenario without states. */
  get current(): string | undefined {
    return this.position?.state
  }

  /** The position of the state machine of these calls; undefined for a scenario without states. */
  get position(): StateStatus | undefined {
    return this.#positionOf(this.#session ?? '')
  }

  /** The positions of up to 100 sessions that have one: those that came last. */
  get sessionPositions(): readonly SessionPosition[] {
    if (this.#session !== undefined) return []
    const names = [...this.#tenant.state.sharedBySession].slice(-MAX_SHOWN_SESSIONS).map(([name]) => name)
    return names.flatMap((session) => {
      const position = this.#positionOf(session)
      return position === undefined ? [] : [{ session, ...position }]
    })
  }

  #positionOf(sessionName: string): StateStatus | undefined {
    const { scenario, clock, state } = this.#tenant
    const { states } = scenario
    if (states === undefined) return undefined
    const elapsedMs = state.elapsedMs(clock.now())
    return describePosition(states, state.positionAt(states, elapsedMs, sessionName), elapsedMs, clock.speed)
  }

  /** Moves to a state. @throws MockError when the scenario has no such state. */
  enter(state: string): void {
    if (typeof state !== 'string') throw invalidOption('enter', 'the state', 'a text', state)
    const { scenario, clock } = this.#tenant
    if (scenario.states === undefined) {
      throw new MockError('unknown-state', `Failed to enter a state: the scenario '${scenario.name}' has no states.`)
    }
    if (!scenario.states.byName.has(state)) {
      const names = [...scenario.states.byName.keys()]
      const near = didYouMean(state, names)
      throw new MockError(
        'unknown-state',
        `Failed to enter ${describeGiven(state)}: there is no such state.${near} States are: ${names.join(', ')}.`,
      )
    }
    const position = { state, sinceMs: this.#tenant.state.elapsedMs(clock.now()), calls: 0 }
    if (this.#session === undefined) this.#tenant.change({ type: 'enter', position })
    else this.#tenant.change({ type: 'set-position', position, sessionName: this.#session })
  }
}
