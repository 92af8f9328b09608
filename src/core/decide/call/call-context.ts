/** One call with everything that deciding it needs. It reads the state and changes nothing. */

import { turnReader } from '../../dialects/read-turn.ts'
import { toChat } from '../../dialects/responses/to-chat.ts'
import { Memos } from '../../lib/cache/memos.ts'
import { hash32 } from '../../lib/random/hash.ts'
import { Random } from '../../lib/random/random.ts'
import type { JsonObject } from '../../lib/text/json.ts'
import type { Encoding } from '../../lib/tokenizer/split-words.ts'
import type { Tokenizer } from '../../lib/tokenizer/tokenizer.ts'
import type { ApiError } from '../../protocol/errors/error-catalogue.ts'
import type { Transport } from '../../protocol/plan/plan.ts'
import { drawResponseIds, type ResponseIds } from '../../protocol/plan/response-ids.ts'
import type { CallHeaders } from '../../protocol/request/decisive-headers.ts'
import { type EndpointRoute, routeOf } from '../../protocol/request/endpoint-route.ts'
import {
  type Charge,
  chargeOf,
  ENDPOINT_NAMES,
  maxAnswerTokens,
  type RoutedEndpoint,
} from '../../protocol/request/endpoints.ts'
import { type ParsedBody, type TwoHashes, unsentChat } from '../../protocol/request/parse-body.ts'
import type { Tools, Turn } from '../../protocol/turn/turn.ts'
import { type MessageFacts, readMessages } from '../../protocol/turn/turn-texts.ts'
import { findNearest, type NearMiss, type Unmatched } from '../../scenario/check/near-miss.ts'
import type { KeyRule, Model, Pace, Scenario, State } from '../../scenario/compile/compile.ts'
import type { Limits } from '../../scenario/compile/limits.ts'
import { advance, type StatePosition } from '../../scenario/compile/states.ts'
import { buildFacts, type Facts } from '../../scenario/conditions/facts.ts'
import type { StateReader } from '../state/mock-state.ts'
import type { SessionReader } from '../state/session.ts'
import { identify } from '../state/session.ts'
import { findRule, type PassOver, type RuleMatch, type RuleSearch } from './find-rule.ts'
import { findConversation, type StoredConversation, withConversation } from './stored-conversation.ts'

/** A call as data, as a transport received it. Nothing in it is trusted. */
export interface Call {
  readonly method: string
  /** The path from `/v1` on, without the query. */
  readonly path: string
  /** The session in the address as it was sent, valid or not: `t1` of `/s/t1/v1`. */
  readonly session?: string | undefined
  /** The session that the key belongs to, by the scenario of the mock. */
  readonly keySession?: string | undefined
  /** The Azure deployment in the address: the model of a body that names none. */
  readonly deployment?: string | undefined
  /** True if the key may be in the header `api-key`, as Azure takes it. */
  readonly acceptsApiKey?: boolean | undefined
  /** The query of the address. It decides nothing, but it may hold a key. */
  readonly query?: string | undefined
  /** The request headers that decide an answer; there may be others. */
  readonly headers: CallHeaders
  /** The body as text; undefined when it was larger than `bodyLimit` and not read. */
  readonly body: string | undefined
  readonly bodyLimit: number
  /** Time of its arrival, in milliseconds of the mock's clock. */
  readonly now: number
  /** Milliseconds of that clock per real millisecond; waits named in answers are in real time. Default: 1. */
  readonly speed?: number
  /** The way the answer is sent: a fault that needs a connection can't happen over fetch. */
  readonly transport: Transport
  /** True if the connection stays open after the answer. Default: true. */
  readonly keepsAlive?: boolean
}

/** A turn and what is read from it once, for all calls with the same body. */
interface TurnFacts {
  readonly turn: Turn
  readonly messages: MessageFacts
  readonly charge: Charge
}

const readFacts = (turn: Turn): TurnFacts => {
  const { messages } = turn
  return { turn, messages: readMessages(messages), charge: chargeOf(messages) }
}

const turnFactsReaders = Object.fromEntries(
  [...ENDPOINT_NAMES, 'unknown' as const].map((name) => {
    const read = turnReader(name)
    return [name, (body: JsonObject) => readFacts(read(body))]
  }),
) as Readonly<Record<RoutedEndpoint, (body: JsonObject) => TurnFacts>>

const NO_RULES: RuleSearch = { found: undefined, notes: [] }
/** Length of a body up to which no result is worth keeping for the call. */
const MAX_SHORT_LENGTH = 20_000

export class CallContext {
  readonly call: Call
  readonly scenario: Scenario
  readonly mockState: StateReader
  readonly route: EndpointRoute
  readonly endpoint: RoutedEndpoint
  /** The most bytes that an answer may have. */
  readonly answerLimit: number
  /** The key of the call; '' without one. */
  readonly key: string
  readonly keyRule: KeyRule | undefined
  /** The memory of the key, or of the session of the key that the call names. */
  session: SessionReader
  /** The reason why the session that the call names is refused. */
  readonly sessionError: ApiError | undefined
  /** True if path, method, session and key are valid; false for a CORS preflight. */
  readonly isAccepted: boolean
  /** The state that the call finds the scenario in; undefined when it has none. */
  readonly state: State | undefined
  /** The position of the state machine after this call; undefined when the call does not count for it. */
  readonly nextPosition: StatePosition | undefined
  /** The parsed body; empty without a body, and for a body that cannot be read (see `bodyError`). */
  readonly body: JsonObject
  readonly bodyError: ApiError | undefined
  /** The result of a function of the body, computed once for all calls with the same text. */
  readonly once: ParsedBody['once']
  /** The model that the call asks for; '' without one. */
  readonly model: string
  /** The encoding of the model asked for. */
  readonly encoding: Encoding
  /** The scenario's settings for the model; undefined when the scenario lists models and not this one. */
  readonly modelRule: Model | undefined
  /** The limits that apply to the call; undefined in a scenario without limits. */
  readonly limits: Limits | undefined
  /** The number of times that the key has sent this request in this session, this call included. */
  readonly attempt: number
  /** A number for method, path and body: the same for the same request. */
  readonly fingerprint: number
  /** Called by the stages with what they pass over; undefined unless the call is explained. */
  passOver: PassOver | undefined

  readonly #tokenizerOf: (encoding: Encoding) => Tokenizer
  readonly #memos: Memos | undefined
  readonly #reading: ParsedBody
  readonly #seed: string
  #hashes: TwoHashes | undefined
  #tokenizer: Tokenizer | undefined
  #turnFacts: TurnFacts | undefined
  #conversation: { readonly found: StoredConversation | undefined } | undefined
  #charge: Charge | undefined
  #facts: Facts | undefined
  #ruleSearch: RuleSearch | undefined
  #pace: { readonly set: Pace | undefined } | undefined
  #nearMiss: { readonly found: NearMiss | undefined } | undefined
  #ids: ResponseIds | undefined

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
    this.call = call
    this.scenario = scenario
    this.mockState = mockState
    this.#tokenizerOf = tokenizerOf
    this.#memos = memos ?? ((call.body?.length ?? 0) > MAX_SHORT_LENGTH ? new Memos() : undefined)
    this.route = route
    this.endpoint = route.endpoint
    this.answerLimit = answerLimit ?? route.answerLimit
    this.key = key
    this.keyRule = scenario.keyRule(key)
    this.session = mockState.sessionOf(sessionId)
    this.sessionError = error
    this.isAccepted = route.accepts && key !== '' && this.keyRule !== undefined && error === undefined
    if (scenario.states !== undefined) {
      const { states } = scenario
      const elapsedMs = mockState.elapsedMs(call.now)
      const position = mockState.positionAt(states, elapsedMs, this.session.name)
      this.state = states.byName.get(position.state)!
      // Calls that are not accepted do not advance the state machine.
      this.nextPosition = this.isAccepted ? advance(states, position, elapsedMs) : undefined
    }

    const reading = mockState.bodies.of(call, route, this.#memos)
    const { body } = reading
    this.#reading = reading
    this.body = body
    this.bodyError = reading.error
    this.once = reading.once
    this.model = reading.model
    this.encoding = reading.encoding
    this.modelRule = scenario.model(this.model)
    this.limits = scenario.limitsOf?.(this.keyRule, this.modelRule)
    // 53 bits: the most that a number holds exactly.
    this.fingerprint = (reading.high & 0x1fffff) * 0x100000000 + reading.low
    this.attempt = (this.session.attempts.get(this.fingerprint) ?? 0) + 1
    // Not the session: what it is called must not change an answer.
    this.#seed = `${scenario.seed}|${key}|${this.attempt}|`
  }

  /** Reads the session again, which may have changed since the call was admitted. */
  readSession(): void {
    this.session = this.mockState.sessionOf(this.session.id)
  }

  /** Converts milliseconds of the clock to real milliseconds, which clients wait in. */
  realMs(ms: number): number {
    return ms / (this.call.speed ?? 1)
  }

  get tokenizer(): Tokenizer {
    this.#tokenizer ??= this.#tokenizerOf(this.encoding)
    return this.#tokenizer
  }

  /**
   * The result of a computation that may take long. It must be a function of the call, its attempt, `name` and `input`, and
   * plain data: a server computes it on another thread.
   */
  memo<Result>(name: string, input: string, compute: () => Result): Result {
    return this.#memos === undefined ? compute() : this.#memos.of(name, input, compute)
  }

  /** The request as a turn, with the stored messages that it goes on from; an embeddings call has an empty one, whatever is in its body. */
  get turn(): Turn {
    return this.turnFacts.turn
  }

  get turnFacts(): TurnFacts {
    if (this.#turnFacts === undefined) {
      const facts = this.once(turnFactsReaders[this.endpoint])
      const conversation = this.route.readsItems ? this.conversation : undefined
      this.#turnFacts =
        conversation === undefined ? facts : readFacts(withConversation(facts.turn, this.body, conversation))
    }
    return this.#turnFacts
  }

  /** The stored items that the call goes on from, and its own; undefined for a call that is all in its body. */
  get conversation(): StoredConversation | undefined {
    if (this.route.readsItems !== true) return undefined
    this.#conversation ??= { found: findConversation(this.body, this.mockState.answers, this.session.id) }
    return this.#conversation.found
  }

  /** The texts of the turn. */
  get messages(): MessageFacts {
    return this.turnFacts.messages
  }

  get tools(): Tools {
    return this.turn.tools
  }

  /** The charge of the call on its arrival. */
  get charge(): Charge {
    if (this.#charge === undefined) {
      const { route, scenario } = this
      const charge = route.hasMessages ? this.turnFacts.charge : this.once(route.estimateCharge)
      const isForAnswer = route.hasMessages && scenario.chargesAnswers
      const tokens = isForAnswer ? Math.max(charge.tokens, maxAnswerTokens(this.turn)) : charge.tokens
      this.#charge = { tokens, images: charge.images }
    }
    return this.#charge
  }

  get facts(): Facts {
    if (this.#facts === undefined) {
      const { endpoint, key, model, attempt, state, body, call, scenario, turn, messages } = this
      const { ignore } = scenario
      const comparedBody = ignore === undefined ? body : this.memo('compared body', '', () => ignore(body))
      const about = { endpoint, key, model, attempt, state: state?.name, body, comparedBody, bodyText: call.body }
      this.#facts = buildFacts(about, turn, messages)
    }
    return this.#facts
  }

  /** The reply rule that the call matches. */
  get matchedRule(): RuleMatch | undefined {
    return this.ruleSearch.found
  }

  /** The search for the reply rule. */
  get ruleSearch(): RuleSearch {
    this.#ruleSearch ??= this.scenario.replies.length === 0 ? NO_RULES : findRule(this.scenario.replies, this)
    return this.#ruleSearch
  }

  /** The latency of the answer: that of the reply rule, else of the state, the model or the scenario. Undefined for none. */
  get pace(): Pace | undefined {
    if (this.#pace === undefined) {
      const base = this.state?.pace ?? this.modelRule?.pace ?? this.scenario.pace
      const rule = this.matchedRule?.rule
      this.#pace = { set: rule?.pace === undefined ? base : rule.pace(base) }
    }
    return this.#pace.set
  }

  /** The rule that came closest to an unmatched call. In a cassette, it is a recorded answer. */
  get nearMiss(): NearMiss | undefined {
    const find = () => ({ found: findNearest(this.scenario, this.unmatched) })
    // A worker that lacks a stored response would find another one.
    const missing = this.conversation?.problem?.body.message ?? ''
    this.#nearMiss ??= this.memo('near miss', `${this.state?.name ?? ''}${missing}`, find)
    return this.#nearMiss.found
  }

  /** The facts that the near miss is found with. */
  get unmatched(): Unmatched {
    return { facts: this.facts, callable: this.tools.allowed.map(({ name }) => name) }
  }

  /** A random stream for one purpose, seeded by the scenario's seed, the key, the turn and the attempt (64 bits). */
  random(purpose: string): Random {
    if (this.route.readsItems !== true) return this.idRandom(purpose)
    const hash = (): TwoHashes => {
      const { low, high } = this.#asChat()
      return { low, high }
    }
    return randomOf(this.#withSeed(this.memo('hashes of the turn', '', hash)), purpose)
  }

  /** A random stream for the words of an answer: the same whether or not they are streamed. */
  contentRandom(purpose: string): Random {
    const hash = (): TwoHashes => (this.route.readsItems ? this.#asChat() : this.#reading).contentHashes()
    return randomOf(this.#withSeed(this.memo('content hashes', '', hash)), purpose)
  }

  /** A random stream for ids: it depends on the whole request, so a chat and the same responses call have different ids. */
  idRandom(purpose: string): Random {
    this.#hashes ??= this.#withSeed(this.#reading)
    return randomOf(this.#hashes, purpose)
  }

  /** The ids and the date of an answer: drawn from the seed, not read from a clock. */
  get ids(): ResponseIds {
    if (this.#ids === undefined) {
      this.#hashes ??= this.#withSeed(this.#reading)
      this.#ids = drawResponseIds(this.#hashes.low, this.#hashes.high)
    }
    return this.#ids
  }

  #withSeed({ low, high }: TwoHashes): TwoHashes {
    return { low: hash32(this.#seed, low), high: hash32(this.#seed, high) }
  }

  /** The turn of a responses call as a chat, so that it draws the same in both dialects. */
  #asChat(): ParsedBody {
    return unsentChat(toChat(this.body, this.turn.messages))
  }
}

const randomOf = ({ low, high }: TwoHashes, purpose: string): Random =>
  new Random(`${low.toString(36)}${high.toString(36)}${purpose}`)
