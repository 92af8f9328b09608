/** Explains what a call would get and why: a decision whose effects are not applied. */

import { faultIn, limitIn, type Reason, statusOf } from '../../protocol/plan/plan.ts'
import { differencesText } from '../../scenario/check/describe-values.ts'
import { findDifferences } from '../../scenario/check/near-miss.ts'
import { BUDGET_UNITS, formatAmount } from '../../scenario/compile/budget.ts'
import type { ReplyRule, Scenario } from '../../scenario/compile/compile.ts'
import { toDifference } from '../../scenario/conditions/condition.ts'
import type { CallContext } from '../call/call-context.ts'
import { matchedRuleId } from '../call/rule-usage.ts'
import { decide } from './decide.ts'
import { scheduleObstacle } from './fault-schedule.ts'
import { KEY_FAULT, selectFault, suits } from './select-fault.ts'

/** A rule, fault or limit that did not decide the answer. */
export interface PassedOver {
  readonly kind: 'fault' | 'rule' | 'limit'
  /** `faults[0]`, `replies[2]`, `injected server-error`, a limit as it is written: `3 requests per minute`, or `budget.tokens`. */
  readonly id: string
  /** The condition that failed, the schedule, what decided before it, or what is left of the limit. */
  readonly why: string
}

/** What the next such call would get, and why. */
export interface Explanation {
  /** 0 if nothing would be answered. */
  readonly status: number
  /** What decides. */
  readonly reason: Reason
  /** The reply rule that decides: `replies[2]`. */
  readonly rule?: string | undefined
  /** The fault that decides: `rate-limit`. */
  readonly fault?: string | undefined
  /** The limit or budget that decides: `requests`, `budget.tokens`. */
  readonly limit?: string | undefined
  /** The state that the call would find the scenario in; left out when the scenario has no states. */
  readonly state?: string | undefined
  /** How often the key would then have sent this very request. */
  readonly attempt: number
  readonly notes: readonly string[]
  /** In the order in which they are looked at; empty for a call that is refused for its path or its key. */
  readonly passedOver: readonly PassedOver[]
}

export function explainCall(context: CallContext): Explanation {
  const { plan } = decide(context)
  const { reason, notes } = plan
  const status = statusOf(plan)
  const rule = matchedRuleId(context, reason, status)
  const fault = faultIn(reason)?.fault
  const limit = limitIn(reason)
  const isAdmitted = reason.by !== 'route' && reason.by !== 'key' && reason.by !== 'preflight'
  return {
    status,
    reason,
    ...(rule !== undefined && { rule }),
    ...(fault !== undefined && { fault }),
    ...(limit !== undefined && { limit }),
    ...(context.state !== undefined && { state: context.state.name }),
    attempt: context.attempt,
    notes,
    passedOver: isAdmitted
      ? [
          ...faultsPassedOver(context),
          ...budgetsPassedOver(context),
          ...limitsPassedOver(context),
          ...rulesPassedOver(context, rule, reason),
        ]
      : [],
  }
}

function faultsPassedOver(context: CallContext): PassedOver[] {
  const { scenario, state, mockState } = context
  const selected = selectFault(context).fault
  let isDecided = selected?.source === 'header'
  const passedOver: PassedOver[] = []
  const consider = (id: string, isSelected: boolean, why: () => string): void => {
    if (isDecided) passedOver.push({ kind: 'fault', id, why: `${selected!.from} comes first` })
    else if (isSelected) isDecided = true
    else passedOver.push({ kind: 'fault', id, why: why() })
  }
  for (const { name, configured, delay } of mockState.injections) {
    const isSelected = selected?.source === 'injection' && selected.configured === configured
    const why = () =>
      !suits(configured, context)
        ? OTHER_ENDPOINT
        : delay > 0
          ? `after: ${delay} more calls come before it`
          : 'injected for other calls'
    consider(`injected ${name}`, isSelected, why)
  }
  const { fault, schedule } = context.keyRule ?? {}
  if (fault !== undefined) {
    const why = () =>
      (suits(fault, context) && schedule && scheduleObstacle(schedule, KEY_FAULT, context, [])) || OTHER_ENDPOINT
    consider('the fault of the key', selected?.source === 'key', why)
  }
  for (const rule of [...(state?.faults ?? []), ...scenario.faults]) {
    consider(rule.ruleId, selected?.from === rule.ruleId, () => faultObstacle(rule, context))
  }
  return passedOver
}

const OTHER_ENDPOINT = 'it does not apply to this endpoint'

function faultObstacle(
  { ruleId, fault, findMisses, schedule }: Scenario['faults'][number],
  context: CallContext,
): string {
  if (!suits(fault, context)) return OTHER_ENDPOINT
  const misses = findMisses(context.facts)
  if (misses.length > 0) return differencesText(misses.map(toDifference))
  return (schedule && scheduleObstacle(schedule, ruleId, context, [])) ?? NOT_REACHED
}

const NOT_REACHED = 'the call is decided before it'

/** Budgets that are not used up, and what is left of them. */
function budgetsPassedOver({ keyRule, session, route }: CallContext): PassedOver[] {
  const budget = keyRule?.budget
  if (budget === undefined || !route.readsBody) return []
  return BUDGET_UNITS.flatMap((unit): PassedOver[] => {
    const amount = budget[unit]
    if (amount === undefined || session.spent[unit] >= amount) return []
    const left = formatAmount(unit, amount - session.spent[unit])
    return [{ kind: 'limit', id: `budget.${unit}`, why: `${left} of ${formatAmount(unit, amount)} left` }]
  })
}

/** Limits with room for the call, and how much. */
function limitsPassedOver(context: CallContext): PassedOver[] {
  const { limits, session, call, route } = context
  if (limits === undefined || !route.readsBody) return []
  const passedOver: PassedOver[] = []
  for (const kind of ['requests', 'tokens'] as const) {
    const count = kind === 'requests' ? 1 : context.estimatedTokens
    for (const rate of limits[kind]) {
      const { remaining } = session.bucket(rate).read(call.now)
      const id = `${rate.amount} ${kind} per ${rate.window}`
      if (remaining >= count) passedOver.push({ kind: 'limit', id, why: `${remaining} left, the call takes ${count}` })
    }
  }
  for (const limit of limits.concurrent) {
    const used = session.countInFlight(limit)
    const id = `${limit.most} concurrent`
    if (used < limit.most) passedOver.push({ kind: 'limit', id, why: `${used} in flight` })
  }
  return passedOver
}

function rulesPassedOver(context: CallContext, used: string | undefined, reason: Reason): PassedOver[] {
  const matched = context.matchedRule?.rule.ruleId
  let isMatched = false
  const why = (rule: ReplyRule): string | undefined => {
    if (isMatched) return `${matched} comes first`
    isMatched = rule.ruleId === matched
    if (isMatched) return rule.ruleId === used ? undefined : `it matches, but ${reason.by} ${reason.name} decides`
    if (rule.fault === undefined && rule.answers === undefined && !context.route.hasMessages)
      return 'it is for chats only'
    const callable = context.tools.allowed.map(({ name }) => name)
    return differencesText(findDifferences(rule, { facts: context.facts, callable }))
  }
  return context.scenario.replies.flatMap((rule) => {
    const text = why(rule)
    return text === undefined ? [] : [{ kind: 'rule' as const, id: rule.ruleId, why: text }]
  })
}
