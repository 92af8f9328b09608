/**
 * The budget stage: what a key may use in total. A call is refused when the budget is used up before it, so the call that
 * uses up the rest is still answered, as the real service does.
 *
 * A call is charged when it is decided, and for its whole answer: the service bills what it generates, read or not. So
 * only the order of arrival decides which call is refused.
 */

import { apiError } from '../../protocol/errors/error-catalogue.ts'
import { type Plan, statusOf, withNotes } from '../../protocol/plan/plan.ts'
import { type Amounts, BUDGET_UNITS, formatAmount, priceOf } from '../../scenario/compile/budget.ts'
import type { Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { answerError } from '../call/respond.ts'
import type { Effect } from '../state/apply-effects.ts'

/** The refusal of a call whose key has used up its budget. What reads no body, such as the list of models, is free. */
export function checkBudget(context: CallContext): Plan | undefined {
  const { keyRule, session, route } = context
  const budget = keyRule?.budget
  if (budget === undefined || !route.readsBody) return undefined
  for (const unit of BUDGET_UNITS) {
    const amount = budget[unit]
    const spent = session.spent[unit]
    if (amount === undefined || spent < amount) continue
    const plan = answerError(context, apiError('quota-exceeded'), { by: 'limit', name: `budget.${unit}` })
    const used = formatAmount(unit, spent)
    return withNotes(plan, [
      `the budget of ${formatAmount(unit, amount)} is used up (${used}); only a reset refills it`,
    ])
  }
  return undefined
}

const FREE = { input: 0n, cachedInput: 0n, output: 0n }
const NO_CHARGES: readonly Effect[] = []

/** Charges an answered call to the budget of its key. Errors, and calls that got no answer, cost nothing. */
export function chargesOf(context: CallContext, plan: Plan, usage: Usage | undefined): readonly Effect[] {
  const { session, keyRule, route } = context
  if (keyRule?.budget === undefined || !route.readsBody) return NO_CHARGES
  const status = statusOf(plan)
  if (status < 200 || status >= 300) return NO_CHARGES
  // A recorded answer may not say what it used.
  const counted = usage ?? { prompt: context.estimatedTokens, completion: 0 }
  return [{ type: 'charge', sessionId: session.id, cost: costOf(context, counted) }]
}

function costOf({ modelRule }: CallContext, usage: Omit<Usage, 'unstreamed'>): Amounts {
  const tokens = BigInt(usage.prompt + usage.completion)
  return { requests: 1n, tokens, usd: priceOf(modelRule?.prices ?? FREE, usage) }
}
