/** One call with everything that deciding it needs. It reads the state and changes nothing. */

import { hash32 } from '../../lib/random/hash.ts'
import { Random } from '../../lib/random/random.ts'
import type { JsonObject } from '../../lib/text/json.ts'
import { type Encoding, encodingOf, type Tokenizer } from '../../lib/tokenizer/tokenizer.ts'
import { AT_ONCE, type Preparation } from '../../lib/work/preparation.ts'
import { finish, MAX_LIGHT_LENGTH, type Steps } from '../../lib/work/steps.ts'
import type { ApiError } from '../../protocol/errors/error-catalogue.ts'
import type { Transport } from '../../protocol/plan/plan.ts'
import { drawResponseIds, type ResponseIds } from '../../protocol/plan/response-ids.ts'
import { type MessageFacts, readMessages } from '../../protocol/request/chat-messages.ts'
import type { CallHeader } from '../../protocol/request/decisive-headers.ts'
import { type EndpointRoute, routeOf } from '../../protocol/request/endpoint-route.ts'
import type { RoutedEndpoint } from '../../protocol/request/endpoints.ts'
import type { ParsedBody } from '../../protocol/request/parse-body.ts'
import { readTools, type Tools } from '../../protocol/request/tools.ts'
import { findNearest, type NearMiss, type Unmatched } from '../../scenario/check/near-miss.ts'
import type { KeyRule, Model, Pace, ReplyRule, Scenario, State } from '../../scenario/compile/compile.ts'
import type { Limits } from '../../scenario/compile/limits.ts'
import { advance, type StatePosition } from '../../scenario/compile/states.ts'
import { buildFacts, type Facts } from '../../scenario/conditions/facts.ts'
import type { StateReader } from '../state/mock-state.ts'
import type { SessionReader } from '../state/session.ts'
import type { LimitAnswer, ReservationSource } from '../state/shared-limits.ts'
import { identify } from './identity.ts'

/** A call as data, as a transport received it. Nothing in it is trusted. */
export interface Call {
  readonly method: string
  /** The path from `/v1` on, without the query. */
  readonly path: string
  /** The session in the address as it was sent, valid or not: `t1` of `/s/t1/v1`. */
  readonly session?: string | undefined
  /** The Azure deployment in the address: the model of a body that names none. */
  readonly deployment?: string | undefined
  /** Whether the key may be in the header `api-key`, as Azure takes it. */
  readonly acceptsApiKey?: boolean | undefined
  /** The query of the address. It decides nothing, but it may hold a key. */
  readonly query?: string | undefined
  /** A request header that decides an answer, by its lower-case name. */
  readonly header: (name: CallHeader) => string | undefined
  /** The body as text; undefined when it was larger than `bodyLimit` and not read. */
  readonly body: string | undefined
  readonly bodyLimit: number
  /** When it arrived, in milliseconds of the mock's clock. */
  readonly now: number
  /** Milliseconds of that clock per real millisecond; waits named in answers are in real time. Default: 1. */
  readonly speed?: number
  /** How the answer is sent: a fault that needs a connection can't happen over fetch. */
  readonly transport: Transport
  /** Whether the connection stays open after the answer. Default: true. */
  readonly keepsAlive?: boolean
}

/** The reply rule that matches a call, and the named groups that its patterns captured. */
export interface RuleMatch {
  readonly rule: ReplyRule
  readonly groups: Readonly<Record<string, string>>
}

/** What a search for the reply rule found, with notes on rules whose calls were not possible. */
export interface RuleSearch {
  readonly found: RuleMatch | undefined
  readonly notes: readonly string[]
}

const NO_RULES: RuleSearch = { found: undefined, notes: [] }
const NO_CONVERSATION = readMessages({})
const NO_TOOLS = readTools({})

type Loader = (encoding: Encoding) => Tokenizer
/** What the engine prepares for a call. Without a source of reservations, shared limits have the levels that were last loaded. */
export type CallPreparation = Preparation & Partial<ReservationSource>

export class CallContext {
  readonly call: Call
  readonly scenario: Scenario
  readonly mockState: StateReader
  readonly route: EndpointRoute
  /** The most bytes that an answer may have. */
  readonly answerLimit: number
  /** The key of the call; '' without one. */
  readonly key: string
  readonly keyRule: KeyRule | undefined
  /** What is remembered of the key, or of the session of the key that the call names. */
  readonly session: SessionReader
  /** Why the session that the call names is refused. */
  readonly sessionError: ApiError | undefined
  /** The state that the call finds the scenario in; undefined when it has none. */
  readonly state: State | undefined
  /** Where the state machine is after this call; undefined when the call does not count for it. */
  readonly nextPosition: StatePosition | undefined
  /** How often the key has sent this request in this session, this call included. */
  readonly attempt: number
  /** A number for method, path and body: the same for the same request. */
  readonly fingerprint: number

  readonly #tokenizerOf: Loader
  readonly #preparation: CallPreparation
  readonly #reading: ParsedBody
  readonly #seed: string
  readonly #low: number
  readonly #high: number
  #limits: Limits | undefined
  #encoding: Encoding | undefined
  #tokenizer: Tokenizer | undefined
  #facts: Facts | undefined
  #ruleSearch: RuleSearch | undefined
  #nearMiss: { readonly found: NearMiss | undefined } | undefined
  #ids: ResponseIds | undefined

  constructor(
    call: Call,
    scenario: Scenario,
    mockState: StateReader,
    tokenizerOf: Loader,
    answerLimit: number | undefined,
    preparation: CallPreparation = AT_ONCE,
  ) {
    this.call = call
    this.#preparation = preparation
    this.scenario = scenario
    this.mockState = mockState
    this.#tokenizerOf = tokenizerOf
    this.route = routeOf(call.method, call.path)
    this.answerLimit = answerLimit ?? this.route.answerLimit
    const { key, sessionId, error } = identify(call)
    this.key = key
    this.keyRule = scenario.keyRule(key)
    this.session = mockState.sessionOf(sessionId)
    this.sessionError = error
    if (scenario.states !== undefined) {
      const { machine, byName } = scenario.states
      const position = mockState.positionAt(machine, this.elapsedMs, this.session.name)
      this.state = byName.get(position.state)!
      // Calls without a valid key, session or route, and CORS preflights, do not advance the state machine.
      const isValid = this.keyRule !== undefined && error === undefined
      const counts = this.route.accepts && this.key !== '' && isValid
      this.nextPosition = counts ? advance(machine, position, this.elapsedMs) : undefined
    }

    const reading = mockState.bodies.of(call, this.route, preparation)
    const { low, high } = reading
    this.#reading = reading
    // 53 bits: the most that a number holds exactly.
    this.fingerprint = (high & 0x1fffff) * 0x100000000 + low
    this.attempt = this.session.attemptsOf(this.fingerprint) + 1
    // Not the session: what it is called must not change an answer.
    this.#seed = `${scenario.seed}|${this.key}|${this.attempt}|`
    this.#low = hash32(this.#seed, low)
    this.#high = hash32(this.#seed, high)
  }

  /** When the call arrived, in milliseconds of the clock since the mock was started or reset. */
  get elapsedMs(): number {
    return this.mockState.elapsedMs(this.call.now)
  }

  get endpoint(): RoutedEndpoint {
    return this.route.endpoint
  }

  /** The parsed body; empty without a body, and for a body that cannot be read (see `bodyError`). */
  get body(): JsonObject {
    return this.#reading.body
  }

  get bodyError(): ApiError | undefined {
    return this.#reading.error
  }

  /** The model that the call asks for; '' without one. */
  get model(): string {
    return typeof this.body.model === 'string' ? this.body.model : ''
  }

  /** The scenario's settings for the model; undefined when the scenario lists models and not this one. */
  get modelRule(): Model | undefined {
    return this.scenario.model(this.model)
  }

  /** How long the answer takes: set by the state, or the model, or the scenario; undefined for no time. */
  get pace(): Pace | undefined {
    return this.state?.pace ?? this.modelRule?.pace ?? this.scenario.pace
  }

  /** The limits that apply to the call; undefined in a scenario without limits. */
  get limits(): Limits | undefined {
    this.#limits ??= this.scenario.limitsOf?.(this.keyRule, this.modelRule)
    return this.#limits
  }

  /**
   * What the store of shared limits answered; undefined when it cannot be asked.
   * @throws NotReserved when the engine has to ask first; the call is decided again then.
   */
  reserve(limits: Limits, tokens: number): LimitAnswer | undefined {
    return this.#preparation.reserve?.({ sessionId: this.session.id, limits, tokens })
  }

  /** Converts milliseconds of the clock to real milliseconds, which clients wait in. */
  realMs(ms: number): number {
    return ms / (this.call.speed ?? 1)
  }

  /** The encoding of the model asked for. */
  get encoding(): Encoding {
    this.#encoding ??= encodingOf(this.model)
    return this.#encoding
  }

  get tokenizer(): Tokenizer {
    this.#tokenizer ??= this.#tokenizerOf(this.encoding)
    return this.#tokenizer
  }

  /** The result of a computation on the whole body, which is prepared unless the body is light. */
  compute<Result>(name: string, input: string, start: () => Steps<Result>): Result {
    return this.#isLight ? finish(start()) : this.prepare(name, input, start)
  }

  /** The same where the result is a function of the body, `name` and `input` alone: for a light body, it is computed once. */
  computeOnce<Result>(name: string, input: string, start: () => Steps<Result>): Result {
    if (!this.#isLight) return this.prepare(name, input, start)
    return this.#reading.once(() => finish(start()), `${name} ${input}`)
  }

  get #isLight(): boolean {
    return (this.call.body?.length ?? 0) <= MAX_LIGHT_LENGTH
  }

  /**
   * The result of a long computation. It must be a function of `name` and `input`.
   * @throws Unfinished when the engine has to run it first; the call is decided again then.
   */
  prepare<Result>(name: string, input: string, start: () => Steps<Result>): Result {
    return this.#preparation.of(name, input, start)
  }

  /** The result of a long computation that is a function of the body, `name` and `input` alone. */
  memo<Result>(name: string, input: string, compute: () => Result): Result {
    // biome-ignore lint/correctness/useYield: a computation of one step.
    return this.prepare(name, input, function* () {
      return compute()
    })
  }

  /** The result of a function of the body, computed once for all calls with the same text. */
  once<Value>(make: (body: JsonObject) => Value): Value {
    return this.#reading.once(make)
  }

  /** The messages of a chat; an embeddings call has none, whatever is in its body. */
  get messages(): MessageFacts {
    return this.route.hasMessages ? this.once(readMessages) : NO_CONVERSATION
  }

  get tools(): Tools {
    return this.route.hasMessages ? this.once(readTools) : NO_TOOLS
  }

  /** The tokens that a token limit reserves for the call. */
  get estimatedTokens(): number {
    return this.once(this.route.estimateTokens)
  }

  /** The body without what the scenario ignores when it compares requests. */
  get #comparedBody(): JsonObject {
    const { ignore } = this.scenario
    return ignore === undefined ? this.body : this.memo('compared body', '', () => ignore(this.body))
  }

  get facts(): Facts {
    this.#facts ??= buildFacts(
      {
        endpoint: this.endpoint,
        key: this.key,
        model: this.model,
        attempt: this.attempt,
        state: this.state?.name,
        body: this.body,
        comparedBody: this.#comparedBody,
        bodyText: this.call.body,
      },
      (read) => this.once(read),
    )
    return this.#facts
  }

  /** The first reply rule that matches. A rule that answers is for chat only; a fault or a recorded answer is for both. */
  get matchedRule(): RuleMatch | undefined {
    return this.ruleSearch.found
  }

  /** The search for the reply rule. */
  get ruleSearch(): RuleSearch {
    this.#ruleSearch ??= this.scenario.replies.length === 0 ? NO_RULES : this.#findRule()
    return this.#ruleSearch
  }

  #findRule(): RuleSearch {
    const notes: string[] = []
    for (const rule of this.scenario.replies) {
      if (rule.fault === undefined && rule.answers === undefined && !this.route.hasMessages) continue
      const groups = rule.match(this.facts)
      if (groups === undefined || this.#awaitsToolResult(rule)) continue
      const missing = rule.call?.find(({ name }) => !this.tools.allowed.some((tool) => tool.name === name))
      if (missing === undefined) return { found: { rule, groups }, notes }
      notes.push(`${rule.ruleId} did not call '${missing.name}': the request does not offer it`)
    }
    return { found: undefined, notes }
  }

  /**
   * Right after a tool's result, a rule calls a tool only if its conditions name that result. The user message before it
   * still matches, so otherwise an agent's loop would never end.
   */
  #awaitsToolResult({ call, isForResults }: ReplyRule): boolean {
    return call !== undefined && this.messages.toolResult !== undefined && !isForResults
  }

  /** The rule that came closest to an unmatched call. In a cassette, it is a recorded answer. */
  get nearMiss(): NearMiss | undefined {
    this.#nearMiss ??= { found: this.memo('near miss', '', () => findNearest(this.scenario, this.unmatched)) }
    return this.#nearMiss.found
  }

  /** What the near miss is found with. */
  get unmatched(): Unmatched {
    return { facts: this.facts, callable: this.tools.allowed.map(nameOf) }
  }

  /** A random stream for one purpose, seeded by the scenario's seed, the key, the request and the attempt (64 bits). */
  random(purpose: string): Random {
    return new Random(`${this.#low.toString(36)}${this.#high.toString(36)}${purpose}`)
  }

  /** The same for the words of an answer: it does not depend on whether they are streamed. */
  contentRandom(purpose: string): Random {
    const { low, high } = this.compute('content hashes', '', () => this.#reading.contentHashSteps())
    return new Random(`${hash32(this.#seed, low).toString(36)}${hash32(this.#seed, high).toString(36)}${purpose}`)
  }

  /** The ids and the date of an answer: drawn from the seed, not read from a clock. */
  get ids(): ResponseIds {
    this.#ids ??= drawResponseIds(this.#low, this.#high)
    return this.#ids
  }

  get maskedKey(): string {
    return this.session.maskedKey
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name
