/**
 * One call with everything that deciding it needs: the call itself, who sent it (`identify`), its request, the rules that the
 * scenario has for it, the state that it finds, and its random draws. It reads the state and changes nothing.
 */

import type { Memos } from '../../lib/cache/memos.ts'
import { hash32 } from '../../lib/random/hash.ts'
import { Random } from '../../lib/random/random.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { shorten } from '../../lib/text/wording.ts'
import type { Encoding } from '../../lib/tokenizer/split-words.ts'
import type { Tokenizer } from '../../lib/tokenizer/tokenizer.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { drawResponseIds, type ResponseIds } from '../../protocol/plan/response-ids.ts'
import type { TwoHashes } from '../../protocol/request/parse-body.ts'
import { type EndpointRoute, routeOf, SESSION_NAMES } from '../../protocol/request/request-path.ts'
import type { Scenario, State } from '../../scenario/compile/compile.ts'
import { advance, type StatePosition } from '../../scenario/compile/states.ts'
import type { StateReader } from '../state/mock-state.ts'
import { Session, type SessionReader } from '../state/session.ts'
import { isSessionName, type SessionId, sessionIdOf } from '../state/session-id.ts'
import type { Call } from './call.ts'
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
  /** The memory of the key, or of the session of the key that the call names. `readSession` reads it again. */
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
    this.session = mockState.sessions.get(sessionId) ?? new Session(sessionId)
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
    this.rules = new CallRules(keyRule, this)
    // Without the session: its name must not change an answer.
    this.draws = new CallDraws(this.request, `${scenario.seed}|${key}|${this.attempt}|`)
  }

  /** Reads the session again, which a reset may have replaced since the call was admitted. */
  readSession(): void {
    const { id } = this.session
    this.session = this.mockState.sessions.get(id) ?? new Session(id)
  }

  /** Converts milliseconds of the clock to real milliseconds, which clients wait in. */
  realMs(ms: number): number {
    return ms / (this.call.speed ?? 1)
  }
}

/** The owner of a call. */
interface Identity {
  /** The API key; '' without one. */
  readonly key: string
  /** The session of the key, or the key itself for a call that names no session. */
  readonly sessionId: SessionId
  /** The session; '' for a call that names none, or whose session is refused. */
  readonly name: string
  /** The reason why the session is refused. The call then reads the state of its key, and changes nothing. */
  readonly error: ApiError | undefined
}

/** Reads who sent a call: its key, and the session of the key that it names. All names that it gives must be the same. */
export function identify(call: Pick<Call, 'headers' | 'session' | 'keySession' | 'acceptsApiKey'>): Identity {
  const { headers, session: inPath, keySession, acceptsApiKey } = call
  // `Authorization: Bearer <key>`; Azure's clients send the key in the header `api-key`.
  const bearer = /^bearer +(\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1]
  const key = bearer ?? (acceptsApiKey === true ? headers['api-key']?.trim() : undefined) ?? ''
  const inHeader = headers['x-mock-session']
  const name = inPath ?? inHeader ?? keySession
  if (name === undefined) return { key, sessionId: key as SessionId, name: '', error: undefined }
  const shown = (text: string): string => maskKeysIn(shorten(text), key)
  let problem: string
  if (name !== (inHeader ?? name)) problem = `the header x-mock-session names another one, '${shown(inHeader!)}'`
  else if (name !== (keySession ?? name)) problem = `the key belongs to another one, '${shown(keySession!)}'`
  else if (!isSessionName(name)) problem = `expected ${SESSION_NAMES}`
  else if (maskKeysIn(name, key) !== name) problem = 'it contains an API key, and the journal shows sessions'
  else return { key, sessionId: sessionIdOf(key, name), name, error: undefined }
  const error = apiError('invalid-session', { name: shown(name), problem })
  return { key, sessionId: key as SessionId, name: '', error }
}

/** The random draws of a call: from the scenario's seed, the key, the request and the attempt, never from a clock. */
export class CallDraws {
  readonly #request: CallRequest
  readonly #seed: string
  /** Undefined until they are first needed. */
  #ids: ResponseIds | undefined

  /** @param seed a text for everything besides the request that the draws depend on. */
  constructor(request: CallRequest, seed: string) {
    this.#request = request
    this.#seed = seed
  }

  /**
   * A random stream for one purpose.
   * @param hashes the part of the request that it depends on: the turn, so that it is the same in every dialect. The words
   * of an answer depend on `request.contentHashes`, because they are the same whether or not they are streamed, and the ids
   * of items on `request.parsed`, because they differ between dialects.
   */
  random(purpose: string, { low, high }: TwoHashes = this.#request.turnHashes): Random {
    // 64 bits.
    const seeds = [low, high].map((hash) => hash32(this.#seed, hash).toString(36))
    return new Random(seeds.join('') + purpose)
  }

  /** The ids and the date of the answer. */
  get ids(): ResponseIds {
    const { low, high } = this.#request.parsed
    this.#ids ??= drawResponseIds(hash32(this.#seed, low), hash32(this.#seed, high))
    return this.#ids
  }
}
