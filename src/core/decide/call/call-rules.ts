/** The rules of a scenario for one call: those of its key and its model, its limits, the reply rule that it matches, its latency. */

import { type Charge, maxAnswerTokens } from '../../protocol/request/charge.ts'
import type { EndpointRoute } from '../../protocol/request/request-path.ts'
import { differencesText } from '../../scenario/check/describe-values.ts'
import { findDifferences, findNearest, type NearMiss } from '../../scenario/check/near-miss.ts'
import type { KeyRule, Model, Pace, ReplyRule, Scenario, State } from '../../scenario/compile/compile.ts'
import type { Limits } from '../../scenario/compile/limits.ts'
import { buildFacts, type Facts } from '../../scenario/conditions/facts.ts'
import type { Call } from './call.ts'
import type { CallRequest } from './call-request.ts'

/** The reply rule that matches a call, and the named groups that its patterns captured. */
export interface RuleMatch {
  readonly rule: ReplyRule
  readonly groups: Readonly<Record<string, string>>
}

/** The result of the search for the reply rule, with notes on rules whose calls were not possible. */
export interface RuleSearch {
  readonly found: RuleMatch | undefined
  readonly notes: readonly string[]
}

/** The parts of a call that rules depend on. */
interface RuledCall {
  readonly call: Call
  readonly scenario: Scenario
  readonly route: EndpointRoute
  readonly key: string
  readonly attempt: number
  readonly state: State | undefined
  readonly request: CallRequest
}

export class CallRules {
  readonly keyRule: KeyRule | undefined
  /** The scenario's settings for the model; undefined when the scenario lists models and not this one. */
  readonly modelRule: Model | undefined
  /** The limits that apply to the call; undefined in a scenario without limits. */
  readonly limits: Limits | undefined
  /** Records a fault, limit or rule that did not decide the answer, and why; undefined unless `explainCall` has set it. */
  passOver: ((kind: 'fault' | 'limit' | 'rule', id: string, why: string) => void) | undefined

  readonly #ruled: RuledCall
  // Each is undefined until it is first needed. The last is in an object, because it may be found to be undefined.
  #facts: Facts | undefined
  #search: RuleSearch | undefined
  #nearMiss: { readonly found: NearMiss | undefined } | undefined

  constructor(keyRule: KeyRule | undefined, ruled: RuledCall) {
    const { scenario, request } = ruled
    this.keyRule = keyRule
    this.modelRule = scenario.model(request.model)
    this.limits = scenario.limitsOf?.(keyRule, this.modelRule)
    this.#ruled = ruled
  }

  /** The charge of the call on its arrival: that of the request, or the most that its answer may use. */
  get charge(): Charge {
    const { request, route, scenario } = this.#ruled
    const charge = route.hasMessages ? request.turnParts.charge : request.parsed.once(route.estimateCharge)
    if (!scenario.chargesAnswers || !route.hasMessages) return charge
    return { tokens: Math.max(charge.tokens, maxAnswerTokens(request.turn)), images: charge.images }
  }

  /** The facts that conditions compare. */
  get facts(): Facts {
    if (this.#facts === undefined) {
      const { call, route, key, attempt, state, request, scenario } = this.#ruled
      const { body, model } = request
      const { turn, messages } = request.turnParts
      const { ignore } = scenario
      const comparedBody = ignore === undefined ? body : request.memo('compared body', '', () => ignore(body))
      const { endpoint } = route
      const about = { endpoint, key, model, attempt, state: state?.name, body, comparedBody, bodyText: call.body }
      this.#facts = buildFacts(about, turn, messages)
    }
    return this.#facts
  }

  /** The search for the reply rule that the call matches. */
  get search(): RuleSearch {
    const hasRules = this.#ruled.scenario.replies.length > 0
    this.#search ??= hasRules ? findReplyRule(this, this.#ruled) : { found: undefined, notes: [] }
    return this.#search
  }

  /** The latency of the answer: that of the reply rule, else of the state, the model or the scenario. Undefined for none. */
  get pace(): Pace | undefined {
    const { state, scenario } = this.#ruled
    const base = state?.pace ?? this.modelRule?.pace ?? scenario.pace
    const rule = this.search.found?.rule
    return rule?.pace === undefined ? base : rule.pace(base)
  }

  /** The rule that came closest to an unmatched call. In a cassette, it is a recorded answer. */
  get nearMiss(): NearMiss | undefined {
    const { request, state, scenario } = this.#ruled
    const callable = request.turn.tools.allowed.map(({ name }) => name)
    const find = () => ({ found: findNearest(scenario, { facts: this.facts, callable }) })
    // The text of the memo: a worker thread that lacks a stored response would find another rule.
    const missing = request.conversation?.problem?.body.message ?? ''
    this.#nearMiss ??= request.memo('near miss', `${state?.name ?? ''}${missing}`, find)
    return this.#nearMiss.found
  }
}

/** Finds the first reply rule that matches. One that answers is for calls with messages; a fault or a recorded answer for all. */
function findReplyRule(rules: CallRules, { route, request, scenario }: RuledCall): RuleSearch {
  const { messages, turn } = request.turnParts
  const { tools } = turn
  const { passOver } = rules
  const notes: string[] = []
  let found: RuleMatch | undefined
  for (const rule of scenario.replies) {
    const { ruleId, call } = rule
    if (found !== undefined) {
      passOver?.('rule', ruleId, `${found.rule.ruleId} comes first`)
      continue
    }
    if (rule.fault === undefined && rule.answers === undefined && !route.hasMessages) {
      passOver?.('rule', ruleId, 'it is for chats only')
      continue
    }
    const groups = rule.match(rules.facts)
    // Right after a tool's result, a rule calls a tool only if its conditions name that result. The user message before
    // it still matches, so otherwise an agent's loop would never end.
    const callsAgain = call !== undefined && messages.toolResult !== undefined && !rule.isForResults
    const matches = groups !== undefined && !callsAgain
    const missing = matches ? call?.find(({ name }) => !tools.allowed.some((tool) => tool.name === name)) : undefined
    // What a function calls is known when it has run. Without tools it can call none.
    const hasNoTool = matches && rule.code?.field === 'call' && tools.allowed.length === 0
    if (matches && missing === undefined && !hasNoTool) {
      found = { rule, groups }
      if (passOver === undefined) break
      passOver('rule', ruleId, 'it matches')
      continue
    }
    if (missing !== undefined) notes.push(`${ruleId} did not call '${missing.name}': the request does not offer it`)
    if (hasNoTool) notes.push(`${ruleId} did not call a tool: the request offers none`)
    if (passOver === undefined) continue
    const callable = tools.allowed.map(({ name }) => name)
    passOver('rule', ruleId, differencesText(findDifferences(rule, { facts: rules.facts, callable })))
  }
  return { found, notes }
}
