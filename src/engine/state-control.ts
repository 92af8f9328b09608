/** The state machine of a mock's scenario, for code and the control plane: where it is, and moving it to another state. */

import type { Effect } from '../core/decide/state/apply-effects.ts'
import type { MockState } from '../core/decide/state/mock-state.ts'
import { SESSION_OPTION } from '../core/decide/state/session.ts'
import { didYouMean } from '../core/lib/text/did-you-mean.ts'
import { checkOptions, describeGiven, invalidOption, type OptionChecks } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { describePosition, type StateStatus } from '../core/scenario/compile/states.ts'
import type { Clock } from './clock/clock.ts'

const MAX_SHOWN_SESSIONS = 100

/** Which state machine `enter` moves. */
export interface EnterOptions {
  /** Only that of this session. Default: those of all sessions, and of the calls without one. */
  readonly session?: string | undefined
}

const ENTER_OPTIONS: OptionChecks<EnterOptions> = { session: SESSION_OPTION }

/** The position of the state machine of a session. */
export interface SessionPosition extends StateStatus {
  readonly session: string
}

export class StateControl {
  /** The mock whose states these are. */
  readonly #host: { readonly scenario: Scenario; readonly clock: Clock }
  readonly #state: MockState
  readonly #change: (effect: Effect) => void

  constructor(
    host: { readonly scenario: Scenario; readonly clock: Clock },
    state: MockState,
    change: (effect: Effect) => void,
  ) {
    this.#host = host
    this.#state = state
    this.#change = change
  }

  /** The state that calls without a session find; undefined for a scenario without states. */
  get current(): string | undefined {
    return this.position?.state
  }

  /** The position of the state machine of calls without a session; undefined for a scenario without states. */
  get position(): StateStatus | undefined {
    return this.#positionOf('')
  }

  /** The same for up to 100 sessions that have one: those that came last. */
  get sessionPositions(): readonly SessionPosition[] {
    const names = [...this.#state.sharedBySession].slice(-MAX_SHOWN_SESSIONS).map(([name]) => name)
    return names.flatMap((session) => {
      const position = this.#positionOf(session)
      return position === undefined ? [] : [{ session, ...position }]
    })
  }

  #positionOf(sessionName: string): StateStatus | undefined {
    const { scenario, clock } = this.#host
    if (scenario.states === undefined) return undefined
    const { machine } = scenario.states
    const elapsedMs = this.#state.elapsedMs(clock.now())
    return describePosition(machine, this.#state.positionAt(machine, elapsedMs, sessionName), elapsedMs, clock.speed)
  }

  /** @throws MockError when the scenario has no such state, or an option is unknown or wrong. */
  enter(state: string, options: EnterOptions = {}): void {
    checkOptions('enter', options, ENTER_OPTIONS)
    if (typeof state !== 'string') throw invalidOption('enter', 'the state', 'a text', state)
    const { scenario, clock } = this.#host
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
    const position = { state, sinceMs: this.#state.elapsedMs(clock.now()), calls: 0 }
    const { session } = options
    this.#change(
      session === undefined ? { type: 'enter', position } : { type: 'set-position', position, sessionName: session },
    )
  }
}
