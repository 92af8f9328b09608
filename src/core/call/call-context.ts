/** A turn: one call with everything the core knows about it. Opening it reads the call; deciding it comes after. */

import type { ApiError } from '../errors/catalogue.ts'
import type { Transport } from '../plan/plan.ts'
import { drawResponseIds, type ResponseIds } from '../plan/response-ids.ts'
import { hash32 } from '../random/hash.ts'
import { Random } from '../random/random.ts'
import type { CallHeader } from '../request/decisive-headers.ts'
import type { RoutedEndpoint } from '../request/endpoints.ts'
import { type MessageFacts, readMessages } from '../request/messages.ts'
import type { ParsedBody } from '../request/parse-body.ts'
import { type Route, routeOf } from '../request/route.ts'
import { readTools, type Tools } from '../request/tools.ts'
import type { KeyRule, Model, Pace, ReplyRule, Scenario, State, States } from '../scenario/compile/compile.ts'
import type { Limits } from '../scenario/compile/limits.ts'
import { buildFacts, type Facts } from '../scenario/conditions/facts.ts'
import { type NearMiss, nearestRule } from '../scenario/diagnostics/near-miss.ts'
import type { InFlightCall, Session, SessionStore } from '../state/session-store.ts'
import type { JsonObject } from '../text/json.ts'
import { type Encoding, encodingOf, type Tokenizer } from '../tokenizer/tokenizer.ts'

/** A call as data. The shells make it; nothing in it is trusted. */
export interface Call {
  readonly method: string
  /** The path from `/v1` on, without the query. */
  readonly path: string
  /** What stands behind the question mark of the address; nothing in it counts, but it may hold a key. */
  readonly query?: string | undefined
  /** A request header by its lower-case name; one that is not among `CALL_HEADERS` does not reach the core. */
  readonly header: (name: CallHeader) => string | undefined
  /** The body as text; undefined when it was larger than `bodyLimit` and not read. */
  readonly body: string | undefined
  readonly bodyLimit: number
  /** When it came, in milliseconds of the shell's clock. */
  readonly now: number
  /** How many milliseconds of that clock pass in a real one: what answers say of real time goes by it. Default: 1. */
  readonly speed?: number
  /** What the answer goes back by: a fault that needs a connection can't happen over fetch. */
  readonly transport: Transport
}

/** The rule that speaks for a turn, and the named groups it caught. */
export interface RuleMatch {
  readonly rule: ReplyRule
  readonly groups: Readonly<Record<string, string>>
}

/** Tokens of what was asked, and of what is answered. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
  /** Of the completion: what no event of a stream carries, such as thoughts and the names of calls. */
  readonly silent: number
}

/** What the limits have counted of a call, until it ends and is settled. */
export interface Reservation {
  /** Reserved by estimate of every token limit. */
  readonly tokens: number
  /** Counted in every `concurrent` that holds for the call. */
  readonly inFlight: InFlightCall
}

const NO_CONVERSATION = readMessages({})
const NO_TOOLS = readTools({})

type Loader = (encoding: Encoding) => Tokenizer

export class CallContext {
  readonly call: Call
  readonly scenario: Scenario
  readonly memory: SessionStore
  readonly route: Route
  /** The key of the call; '' without one. */
  readonly key: string
  readonly keyRule: KeyRule | undefined
  readonly session: Session
  /** The state that the call finds the scenario in; undefined when it has none. */
  readonly state: State | undefined
  readonly attempt: number
  /** A number for method, path and body: the same for the same request. */
  readonly fingerprint: number
  /** What the caller may want to know besides the answer. */
  readonly notes: string[] = []
  /** What the limits have counted of this call; undefined where it was refused or nothing is limited. */
  reservation: Reservation | undefined
  /** The tokens that a whole answer uses up, as its `usage` says; the endpoint sets it. */
  usage: Usage | undefined

  readonly #tokenizerOf: Loader
  readonly #reading: ParsedBody
  readonly #low: number
  readonly #high: number
  #limits: Limits | undefined
  #encoding: Encoding | undefined
  #facts: Facts | undefined
  #spoken: RuleMatch | null | undefined
  #identity: ResponseIds | undefined

  /** Reads the call and counts the attempt, and counts the call in the state of the scenario. */
  constructor(call: Call, scenario: Scenario, memory: SessionStore, tokenizerOf: Loader) {
    this.call = call
    this.scenario = scenario
    this.memory = memory
    this.#tokenizerOf = tokenizerOf
    this.route = routeOf(call.method, call.path)
    this.key = bearerKey(call.header('authorization'))
    this.keyRule = scenario.keyRule(this.key)
    this.session = memory.session(this.key)
    this.state = scenario.states && this.#passState(scenario.states)

    const reading = memory.bodies.of(call, this.route)
    const { low, high } = reading
    this.#reading = reading
    // 53 bits: the most that a number holds exactly.
    this.fingerprint = (high & 0x1fffff) * 0x100000000 + low
    this.attempt = this.session.attempt(this.fingerprint)
    const name = `${scenario.seed}|${this.key}|${this.attempt}|`
    this.#low = hash32(name, low)
    this.#high = hash32(name, high)
  }

  /** What is refused at the door never met the state, and a browser's question before a call is none: not counted. */
  #passState({ machine, byName }: States): State {
    const isAdmitted = this.route.allow === this.call.method && this.key !== '' && this.keyRule !== undefined
    return byName.get(this.memory.advanceState(machine, this.elapsedMs, isAdmitted))!
  }

  /** When it came, in milliseconds since the mock was started or reset. */
  get elapsedMs(): number {
    return this.memory.elapsedMs(this.call.now)
  }

  get endpoint(): RoutedEndpoint {
    return this.route.endpoint
  }

  /** The parsed body; empty when there is none or it was not readable: then `bodyError` says why. */
  get body(): JsonObject {
    return this.#reading.body
  }

  get bodyError(): ApiError | undefined {
    return this.#reading.error
  }

  /** The model asked for; '' when there is none. */
  get model(): string {
    return typeof this.body.model === 'string' ? this.body.model : ''
  }

  /** What the scenario says of the model; undefined when it lists models and this is none of them. */
  get modelRule(): Model | undefined {
    return this.scenario.model(this.model)
  }

  /** How long its answer takes: as the state says, else the model, else the scenario; undefined for no time. */
  get pace(): Pace | undefined {
    return this.state?.pace ?? this.modelRule?.pace ?? this.scenario.pace
  }

  /** The limits that the call has to fit; undefined in a scenario without any. */
  get limits(): Limits | undefined {
    this.#limits ??= this.scenario.limitsOf?.(this.keyRule, this.modelRule)
    return this.#limits
  }

  /** Real milliseconds of the clock's: what a client is told to wait. */
  realMs(ms: number): number {
    return ms / (this.call.speed ?? 1)
  }

  /** The encoding of the model asked for. */
  get encoding(): Encoding {
    this.#encoding ??= encodingOf(this.model)
    return this.#encoding
  }

  get tokenizer(): Tokenizer {
    return this.#tokenizerOf(this.encoding)
  }

  /** What a function makes of the body: worked out once for all calls with the same text. */
  once<Value>(make: (body: JsonObject) => Value): Value {
    return this.#reading.once(make)
  }

  /** What is said in a chat; an embeddings call has no messages, whatever stands in its body. */
  get messages(): MessageFacts {
    return this.route.hasMessages ? this.once(readMessages) : NO_CONVERSATION
  }

  get tools(): Tools {
    return this.route.hasMessages ? this.once(readTools) : NO_TOOLS
  }

  /** What a token limit reserves for the call. */
  get estimatedTokens(): number {
    return this.once(this.route.estimateTokens)
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
        bodyText: this.call.body,
      },
      (read) => this.once(read),
    )
    return this.#facts
  }

  /** The first reply rule that matches. A rule that speaks is for chat only; a fault or a recorded answer is for both. */
  get matchedRule(): RuleMatch | undefined {
    if (this.#spoken === undefined) this.#spoken = this.#findRule() ?? null
    return this.#spoken ?? undefined
  }

  #findRule(): RuleMatch | undefined {
    for (const rule of this.scenario.replies) {
      if (rule.fault === undefined && rule.answers === undefined && !this.route.hasMessages) continue
      const groups = rule.match(this.facts)
      if (groups !== undefined && this.#mayCall(rule)) return { rule, groups }
    }
    return undefined
  }

  /**
   * Whether the calls of a rule are possible. Right after a tool's result a rule calls only if its conditions speak of
   * that result: the user message before it still matches, and an agent's loop would never end.
   */
  #mayCall({ call, ruleId, isForResults }: ReplyRule): boolean {
    if (call === undefined) return true
    if (this.messages.toolResult !== undefined && !isForResults) return false
    const missing = call.find(({ name }) => !this.tools.allowed.some((tool) => tool.name === name))
    if (missing === undefined) return true
    this.notes.push(`${ruleId} did not call '${missing.name}': the request does not offer it`)
    return false
  }

  /** Finds the reply rule that nearly matched, for a chat that none did: now or later, without holding on to the call. */
  get nearMissFinder(): () => NearMiss | undefined {
    const { replies } = this.scenario
    const { facts } = this
    const callable = this.tools.allowed.map(nameOf)
    return () => nearestRule(replies, { facts, callable })
  }

  /** A stream of draws for one purpose: a function of seed, key, request and attempt, folded into 64 bits. */
  random(purpose: string): Random {
    return new Random(`${this.#low.toString(36)}${this.#high.toString(36)}${purpose}`)
  }

  /** What names and dates an answer: drawn, as no clock has a say. */
  get ids(): ResponseIds {
    this.#identity ??= drawResponseIds(this.#low, this.#high)
    return this.#identity
  }

  get maskedKey(): string {
    return this.session.maskedKey
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name

/** The key of `Authorization: Bearer <key>`; '' when the header is missing, of another scheme or empty. */
function bearerKey(authorization: string | undefined): string {
  if (authorization === undefined) return ''
  const match = /^bearer +(\S.*)$/i.exec(authorization.trim())
  return match?.[1] ?? ''
}
