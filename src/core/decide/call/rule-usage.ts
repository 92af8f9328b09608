/**
 * The uses of the rules, faults and limits of a scenario, each by its id: `ruleIdsUsed` finds those of one call, which are
 * counted in the state, and `countUses` lists the counts of a whole scenario.
 *
 *   replies[2]                          a reply rule
 *   faults[0], states.down.faults[1]    a fault of the scenario, or of one of its states
 *   keys["sk****ed"]                    the fault of a key
 *   limits.requests, budget.tokens      a limit or budget of all keys; `keys["sk****ed"].limits.requests` is that of a key
 */

import { toList } from '../../lib/text/json.ts'
import { maskKey, maskKeysIn } from '../../lib/text/mask-keys.ts'
import { faultIn, limitIn, type Plan, type Reason, statusOf } from '../../protocol/plan/plan.ts'
import { describeFields } from '../../scenario/check/describe-values.ts'
import { pathText } from '../../scenario/check/problem.ts'
import { lineOfRule } from '../../scenario/check/rule-lines.ts'
import { type FaultSelection, faultSelection } from '../../scenario/compile/fault-settings.ts'
import { faultRulesOf, type ScenarioSource } from '../../scenario/scenario-source.ts'
import type { CallContext } from './call-context.ts'

/** The number of uses of one thing in the scenario since the scenario was applied or reset. */
export interface Use {
  readonly kind: 'rule' | 'fault' | 'limit'
  /** Its path in the scenario: `replies[2]`, `limits.requests`. */
  readonly ruleId: string
  readonly count: number
  /** The fault of a rule or key, as the scenario writes it. */
  readonly fault?: string | number
  /** The line of a rule that was never used; left out for a scenario that was not read from a file or a text. */
  readonly line?: number
  /** The conditions of a rule that was never used: `user 'rain', turn 2`. */
  readonly when?: string
}

/** The ids of what decided an answer: the reply rule that matched, the fault that applied, the limit that refused. */
export function ruleIdsUsed(context: CallContext, plan: Plan): readonly string[] {
  const keyName = context.rules.keyRule?.name ?? ''
  const { reason } = plan
  const used: string[] = []
  const rule = matchedRuleId(context, reason, statusOf(plan))
  if (rule !== undefined) used.push(rule)
  const from = faultIn(reason)?.from
  if (from === 'key') used.push(keyId(keyName))
  else if (from?.startsWith('faults[') || from?.startsWith('states.')) used.push(from)
  const limit = limitIn(reason)
  if (limit !== undefined) {
    const path = limit.startsWith('budget.') ? limit : `limits.${limit}`
    const keySettings = context.scenario.source.keys?.[keyName]
    // A limit of the key replaces that of the scenario.
    const isOfKey = keySettings !== undefined && limitPaths(keySettings).includes(path)
    used.push(isOfKey ? `${keyId(keyName)}.${path}` : path)
  }
  return used
}

/** True if reply rules were searched for this call, and none matched. */
export function isUnmatched(context: CallContext, { by, name }: Reason): boolean {
  if (name === 'no-match' || name === 'not-recorded') return true
  if (by !== 'echo' && by !== 'tool' && by !== 'schema') return false
  // Last: a call that a fault answers was decided without this search, which may be long.
  return context.scenario.replies.length > 0 && context.route.hasMessages && context.rules.search.found === undefined
}

/** The reply rule that answered, or whose fault applied, or whose answer another fault transformed. */
export function matchedRuleId(context: CallContext, reason: Reason, status: number): string | undefined {
  if (context.scenario.replies.length === 0) return undefined
  const { by, name } = reason
  if (by === 'reply') return name
  const from = faultIn(reason)?.from
  if (from?.startsWith('replies[')) return from
  // Any other fault with this status has transformed the answer of the rule.
  return status === 200 && by === 'fault' && context.route.hasMessages
    ? context.rules.search.found?.rule.ruleId
    : undefined
}

/** Every reply rule, fault and limit of a scenario in the order of the file, with the number of its uses. */
export function countUses(uses: ReadonlyMap<string, number>, source: ScenarioSource): Use[] {
  const { replies = [], keys = {} } = source
  const use = (kind: Use['kind'], ruleId: string, fault?: Use['fault'], selection: FaultSelection = {}): Use => {
    const count = uses.get(ruleId) ?? 0
    const counted = { kind, ruleId, count, ...(fault !== undefined && { fault }) }
    if (count > 0) return counted
    const line = lineOfRule(source, ruleId)
    const { key, ...others } = selection
    // A report goes to more people than a scenario.
    const when = maskKeysIn(describeFields({ key: key && toList(key).map(shownKey), ...others }))
    return { ...counted, ...(line !== undefined && { line }), ...(when !== '' && { when }) }
  }
  const ofKeys = Object.entries(keys).flatMap(([name, settings]) => [
    ...(settings.fault === undefined ? [] : [use('fault', keyId(name), settings.fault)]),
    ...limitPaths(settings).map((path) => use('limit', `${keyId(name)}.${path}`)),
  ])
  return [
    ...ofKeys,
    ...replies.map((rule, index) => use('rule', `replies[${index}]`, rule.fault, rule.when)),
    ...limitPaths(source).map((path) => use('limit', path)),
    ...faultRulesOf(source).map(({ rule, path }) => use('fault', pathText(path), rule.fault, faultSelection(rule))),
  ]
}

const shownKey = (name: string): string => (name.includes('*') ? name : maskKey(name))
const keyId = (name: string): string => `keys["${shownKey(name)}"]`

/** `limits.requests`, `budget.tokens`: the limits and the budget of a scenario or of a key. */
const limitPaths = ({ limits = {}, budget = {} }: Pick<ScenarioSource, 'limits' | 'budget'>): string[] => [
  ...Object.keys(limits)
    .filter((kind) => kind !== 'shared')
    .map((kind) => `limits.${kind}`),
  ...Object.keys(budget).map((unit) => `budget.${unit}`),
]

/** Reads `faults[0]`, which has no state, or `states.down.faults[1]`; undefined for the id of anything else. */
export function parseFaultRule(ruleId: string) {
  const [, state, index] = /^(?:states\.(.+)\.)?faults\[(\d+)\]$/.exec(ruleId) ?? []
  return index === undefined ? undefined : { state, index: Number(index) }
}

/** True if an id names one of the first rules of faults: those that a hunt adds come before those of the scenario. */
export function isPlannedRule(ruleId: string, planned: number): boolean {
  const rule = parseFaultRule(ruleId)
  return rule !== undefined && rule.state === undefined && rule.index < planned
}
