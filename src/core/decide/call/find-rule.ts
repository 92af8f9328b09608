/** Finds the reply rule that a call matches. */

import type { EndpointRoute } from '../../protocol/request/endpoint-route.ts'
import type { Tools } from '../../protocol/turn/turn.ts'
import type { MessageFacts } from '../../protocol/turn/turn-texts.ts'
import { differencesText } from '../../scenario/check/describe-values.ts'
import { findDifferences } from '../../scenario/check/near-miss.ts'
import type { ReplyRule } from '../../scenario/compile/compile.ts'
import type { Facts } from '../../scenario/conditions/facts.ts'

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

/** Records a fault, limit or rule that did not decide the answer, and the reason. */
export type PassOver = (kind: 'fault' | 'limit' | 'rule', id: string, why: string) => void

/** The parts of a call that the search reads. */
interface SearchedCall {
  readonly route: EndpointRoute
  readonly facts: Facts
  readonly messages: MessageFacts
  readonly tools: Tools
  readonly passOver: PassOver | undefined
}

/** Finds the first rule that matches. A rule that answers is for chat only; a fault or a recorded answer is for both. */
export function findRule(rules: readonly ReplyRule[], searched: SearchedCall): RuleSearch {
  const { route, tools, messages, passOver } = searched
  const notes: string[] = []
  let found: RuleMatch | undefined
  for (const rule of rules) {
    const { ruleId, call } = rule
    if (found !== undefined) {
      passOver?.('rule', ruleId, `${found.rule.ruleId} comes first`)
      continue
    }
    if (rule.fault === undefined && rule.answers === undefined && !route.hasMessages) {
      passOver?.('rule', ruleId, 'it is for chats only')
      continue
    }
    const groups = rule.match(searched.facts)
    // Right after a tool's result, a rule calls a tool only if its conditions name that result. The user message before
    // it still matches, so otherwise an agent's loop would never end.
    const isPossible = groups !== undefined && !(call && messages.toolResult !== undefined && !rule.isForResults)
    const missing = isPossible ? call?.find(({ name }) => !tools.allowed.some((tool) => tool.name === name)) : undefined
    // What a function calls is known when it has run. Without tools it can call none.
    const hasNone = isPossible && rule.code?.field === 'call' && tools.allowed.length === 0
    if (isPossible && missing === undefined && !hasNone) {
      found = { rule, groups }
      if (passOver === undefined) break
      passOver('rule', ruleId, 'it matches')
      continue
    }
    if (missing !== undefined) notes.push(`${ruleId} did not call '${missing.name}': the request does not offer it`)
    if (hasNone) notes.push(`${ruleId} did not call a tool: the request offers none`)
    if (passOver === undefined) continue
    const callable = tools.allowed.map(({ name }) => name)
    passOver('rule', ruleId, differencesText(findDifferences(rule, { facts: searched.facts, callable })))
  }
  return { found, notes }
}
