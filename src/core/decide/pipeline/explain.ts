/**
 * Explains what a call would get and why: a decision with a recorder, whose effects are not applied.
 *
 *     { status: 429, reason: { by: 'fault', name: 'rate-limit (faults[0])' }, fault: 'rate-limit', attempt: 1, notes: [],
 *       passedOver: [{ kind: 'rule', id: 'replies[0]', why: 'it matches, but fault rate-limit (faults[0]) decides' }] }
 */

import { faultIn, limitIn, type Reason, statusOf, waitsOf } from '../../protocol/plan/plan.ts'
import { beforeHead } from '../../protocol/plan/transform.ts'
import type { CallContext } from '../call/call-context.ts'
import { matchedRuleId } from '../call/rule-usage.ts'
import { checkBudget } from './call-budget.ts'
import { checkLimits, demandOf } from './call-limits.ts'
import { decide } from './decide.ts'

/** The order in which kinds are listed. */
const KINDS = ['fault', 'limit', 'rule'] as const

/** A rule, fault or limit that did not decide the answer. */
export interface PassedOver {
  readonly kind: (typeof KINDS)[number]
  /** `faults[0]`, `replies[2]`, `injected server-error`, a limit as it is written: `3 requests per minute`, or `budget.tokens`. */
  readonly id: string
  /** The condition that failed, the schedule, what decided before it, or what is left of the limit. */
  readonly why: string
}

/** The answer that the next such call would get, and its reason. */
export interface Explanation {
  /** 0 if nothing would be answered. */
  readonly status: number
  /** The rule, fault, limit or stage that decides. */
  readonly reason: Reason
  /** The reply rule that decides: `replies[2]`. */
  readonly rule?: string | undefined
  /** The fault that decides: `rate-limit`. */
  readonly fault?: string | undefined
  /** The limit or budget that decides: `requests`, `budget.tokens`. */
  readonly limit?: string | undefined
  /** The state that the call would find the scenario in; left out when the scenario has no states. */
  readonly state?: string | undefined
  /** The wait until the answer begins, by the pace and the fault, in milliseconds of the mock's clock; left out for none. */
  readonly waitMs?: number | undefined
  /** The number of times that the key would then have sent this very request. */
  readonly attempt: number
  readonly notes: readonly string[]
  /** Faults, then limits, then rules, each in the order in which they are looked at; empty for a call that is refused for its path or its key. */
  readonly passedOver: readonly PassedOver[]
}

/** Explains a call. @param context a fresh one, which gets the recorder. */
export function explainCall(context: CallContext): Explanation {
  const recorded: PassedOver[] = []
  context.rules.passOver = (kind, id, why) => void recorded.push({ kind, id, why })
  const { plan } = decide(context)
  const { reason, notes } = plan
  const status = statusOf(plan)
  const rule = matchedRuleId(context, reason, status)
  const fault = faultIn(reason)?.fault
  const limit = limitIn(reason)
  const waitMs = waitsOf({ ...plan, events: beforeHead(plan) })
  const isAdmitted = reason.by !== 'route' && reason.by !== 'key' && reason.by !== 'preflight'
  if (isAdmitted && !recorded.some(({ kind }) => kind === 'limit')) {
    // A stage before the limits has decided. Checking them here records what is left of them; the results are not needed.
    checkBudget(context)
    const { limits } = context.rules
    const demand = limits && demandOf(context, limits)
    if (demand !== undefined) checkLimits(context, demand)
  }
  // The rule that matches, which is not the one that decides if a fault or a limit does.
  const matched = isAdmitted ? context.rules.search.found?.rule.ruleId : undefined
  const passedOver: PassedOver[] = []
  for (const entry of recorded) {
    if (entry.kind !== 'rule' || entry.id !== matched) passedOver.push(entry)
    else if (matched !== rule) passedOver.push({ ...entry, why: `it matches, but ${reason.by} ${reason.name} decides` })
  }
  return {
    status,
    reason,
    ...(rule !== undefined && { rule }),
    ...(fault !== undefined && { fault }),
    ...(limit !== undefined && { limit }),
    ...(context.state !== undefined && { state: context.state.name }),
    ...(waitMs > 0 && { waitMs }),
    attempt: context.attempt,
    notes,
    passedOver: passedOver.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
  }
}
