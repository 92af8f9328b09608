/** Finds rules that never apply: because of their own settings, or because of the rules before them. */

import { didYouMean } from '../../../lib/text/did-you-mean.ts'
import { toList } from '../../../lib/text/to-list.ts'
import type { Problem } from '../problem.ts'
import { shown } from '../problem-text.ts'
import { type Case, coversCase, findCases, findKeys, findModels, type ScenarioNames } from './cases.ts'
import { findUnknownNames } from './entries.ts'
import { RuleIndex, RuleNeeds } from './rule-index.ts'
import { endpointOf, findEndpoints, type LintRule, type LintRules } from './rules.ts'

// A scenario may come over the network, so the number of comparisons is bounded. Further rules are not checked.
const MAX_STEPS = 250_000

export function findDeadRules(rules: LintRules, names: ScenarioNames): Problem[] {
  const budget = { steps: MAX_STEPS }
  const { faults, replies } = rules
  const needs = new RuleNeeds([...faults, ...replies])
  const [earlierFaults, earlierReplies] = [new RuleIndex(needs), new RuleIndex(needs)]
  const check = (rule: LintRule, earlier: readonly RuleIndex[]): Problem[] => {
    if (rule.isRecorded) return []
    const unknown = findUnknownConditions(rule, names)
    if (unknown.length > 0) return unknown
    const reason = explainImpossible(rule, names) ?? explainTaken(rule, earlier, names, budget)
    return reason === undefined ? [] : [{ path: rule.path, message: `never applies: ${reason}` }]
  }
  return [
    ...faults.flatMap((rule) => {
      const problems = check(rule, [earlierFaults])
      earlierFaults.add(rule)
      return problems
    }),
    ...replies.flatMap((rule) => {
      const problems = check(rule, rule.fault === undefined ? [earlierReplies] : [earlierFaults, earlierReplies])
      earlierReplies.add(rule)
      return problems
    }),
  ]
}

/** Keys and models under `when` that the scenario does not have. */
function findUnknownConditions(rule: LintRule, { keys, models }: ScenarioNames): Problem[] {
  const { path, when, fault } = rule
  const served = fault === undefined ? models?.('chat') : undefined
  const list = (kind: 'key' | 'model', entries: typeof keys | typeof served): Problem[] =>
    findUnknownNames<unknown>(when[kind], entries).map(({ name, path: inside }) => ({
      path: [...path, 'when', kind, ...inside],
      message: `never holds: the scenario has no ${kind === 'key' ? 'key' : 'chat model'} ${shown(name)}.${didYouMean(
        name,
        (entries ?? []).map((entry) => entry.name),
      )}`,
    }))
  return [...list('key', keys), ...list('model', served)]
}

/** The names that a request can give its tools. */
const TOOL_NAME = /^[\w-]{1,64}$/
const TOOL_GLOB = /^[\w*-]+$/

/** Why a rule can't apply to any call, whatever comes before it. */
function explainImpossible(rule: LintRule, names: ScenarioNames): string | undefined {
  const { when, fault, calls, spans, hasNoChance } = rule
  const endpoints = findEndpoints(rule)
  if (endpoints.length === 0)
    return `the fault '${fault!.name}' is for ${endpointOf(fault)} only, but its conditions want ${when.endpoint}.`
  const invalid = calls.find((name) => !TOOL_NAME.test(name))
  if (invalid !== undefined)
    return `no request can offer a tool called ${shown(invalid)}. Tool names have at most 64 letters, digits, _ and -.`
  const tools = toList(when.tool)
  if (fault === undefined && tools.length > 0 && tools.every((glob) => !TOOL_GLOB.test(glob)))
    return `no request can offer a tool called ${shown(tools[0])}. Tool names have letters, digits, _ and -.`
  if (hasNoChance) return 'its chance is 0. Raise the chance, or remove the fault.'
  if (spans?.every(({ fromMs, untilMs }) => fromMs >= untilMs)) return "its 'until' is not after its 'from'."
  if (endpoints.every((endpoint) => findKeys(rule, endpoint, names).length === 0))
    return 'every key that it matches has its own fault, which comes first.'
  if (endpoints.every((endpoint) => findModels(rule, endpoint, names).length === 0))
    return 'the scenario has no model for the calls that it matches.'
  return undefined
}

/** Names the earlier rule that takes every call of a rule. */
function explainTaken(
  rule: LintRule,
  earlier: readonly RuleIndex[],
  names: ScenarioNames,
  budget: { steps: number },
): string | undefined {
  if (budget.steps <= 0) return undefined
  const cases = findCases(rule, names)
  const taker = findTaker(rule, earlier, cases, budget)
  return (
    taker &&
    `${taker.ruleId} comes first and matches every call that this rule matches. Move this rule up, or remove it.`
  )
}

function findTaker(
  rule: LintRule,
  earlier: readonly RuleIndex[],
  cases: readonly Case[],
  budget: { steps: number },
): LintRule | undefined {
  for (const rules of earlier) {
    for (const before of rules.findCandidates(rule, cases)) {
      budget.steps -= before.size * rule.size
      if (budget.steps <= 0) return undefined
      if (cases.every((one) => coversCase(before, one, rule))) return before
    }
  }
  return undefined
}
