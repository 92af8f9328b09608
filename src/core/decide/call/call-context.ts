/**
 * One call with everything that deciding it needs: the call itself, its request, the rules that the scenario has for it, the
 * state that it finds, and its random draws. It reads the state and changes nothing.
 */

import type { Memos } from '../../lib/cache/memos.ts'
import type { Encoding } from '../../lib/tokenizer/split-words.ts'
import type { Tokenizer } from '../../lib/tokenizer/tokenizer.ts'
import type { ApiError } from '../../protocol/errors/error-catalogue.ts'
import { type EndpointRoute, routeOf } from '../../protocol/request/endpoint-route.ts'
import type { Scenario, State } from '../../scenario/compile/compile.ts'
import { advance, type StatePosition } from '../../scenario/compile/states.ts'
import type { StateReader } from '../state/mock-state.ts'
import { identify, type SessionReader } from '../state/session.ts'
import type { Call } from './call.ts'
import { CallDraws } from './call-draws.ts'
import { CallRequest } from './call-request.ts'
import { CallRules } from './call-rules.ts'

export class CallContext {
  readonly call: Call
  readonly scenario: Scenario
  readonly route: EndpointRoute
  /** The key of the call; '' without one. */
  readonly key: string
  /** The reason why the session that the call names is refused. */
  readonly sessionError: ApiError | undefined
  /** True if path, method, session and key are valid; false for a CORS preflight. */
  readonly isAccepted: boolean
  /** The most bytes that an answer may have. */
  readonly answerLimit: number

  readonly mockState: StateReader
  /** The memory of the key, or of the session of the key that the call names. */
  session: SessionReader
  /** The number of times that the key has sent this request in this session, this call included. */
  readonly attempt: number
  /** The state that the call finds the scenario in; undefined when it has none. */
  readonly state: State | undefined
  /** The position of the state machine after this call; undefined when the call does not count for it. */
  readonly nextPosition: StatePosition | undefined

  readonly request: CallRequest
  readonly rules: CallRules
  readonly draws: CallDraws

  /** @param memos results of long computations on the body. */
  constructor(
    call: Call,
    scenario: Scenario,
    mockState: StateReader,
    tokenizerOf: (encoding: Encoding) => Tokenizer,
    answerLimit: number | undefined,
    memos?: Memos,
  ) {
    const route = routeOf(call.method, call.path)
    const { key, sessionId, error } = identify(call)
    const keyRule = scenario.keyRule(key)
    this.call = call
    this.scenario = scenario
    this.route = route
    this.key = key
    this.sessionError = error
    this.isAccepted = route.accepts && key !== '' && keyRule !== undefined && error === undefined
    this.answerLimit = answerLimit ?? route.answerLimit

    this.mockState = mockState
    this.session = mockState.sessionOf(sessionId)
    this.request = new CallRequest(call, route, mockState, sessionId, tokenizerOf, memos)
    this.attempt = (this.session.attempts.get(this.request.fingerprint) ?? 0) + 1
    if (scenario.states !== undefined) {
      const { states } = scenario
      const elapsedMs = mockState.elapsedMs(call.now)
      const position = mockState.positionAt(states, elapsedMs, this.session.name)
      this.state = states.byName.get(position.state)!
      // Calls that are not accepted do not advance the state machine.
      this.nextPosition = this.isAccepted ? advance(states, position, elapsedMs) : undefined
    }
    this.rules = new CallRules(scenario, keyRule, this)
    // Not the session: what it is called must not change an answer.
    this.draws = new CallDraws(this.request, `${scenario.seed}|${key}|${this.attempt}|`)
  }

  /** Reads the session again, which may have changed since the call was admitted. */
  readSession(): void {
    this.session = this.mockState.sessionOf(this.session.id)
  }

  /** Converts milliseconds of the clock to real milliseconds, which clients wait in. */
  realMs(ms: number): number {
    return ms / (this.call.speed ?? 1)
  }
}
