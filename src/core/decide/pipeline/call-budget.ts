/**
 * The budget stage: what a key may use in total. A call is refused when the budget is used up before it, so the call that
 * uses up the rest is still answered, as the real service does.
 *
 * A call is charged when it is decided, and for its whole answer: the service bills what it generates, read or not. So
 * only the order of arrival decides which call is refused.
 */

import { apiError } from '../../protocol/errors/error-catalogue.ts'
import { type Plan, statusOf } from '../../protocol/plan/plan.ts'
import { BUDGET_UNITS, formatAmount, priceOf } from '../../scenario/compile/budget.ts'
import type { Answer, Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { answerError, prependNotes } from '../call/respond.ts'
import type { Effect } from '../state/apply-effects.ts'

/** The refusal of a call whose key has used up its budget. What reads no body, such as the list of models, is free. */
export function checkBudget(context: CallContext): Answer | undefined {
  const { session, route, rules } = context
  const budget = rules.keyRule?.budget
  if (budget === undefined || !route.readsBody) return undefined
  const used = BUDGET_UNITS.flatMap((unit) => {
    const amount = budget[unit]
    return amount === undefined ? [] : { unit, amount, spent: session.spent[unit], whole: formatAmount(unit, amount) }
  })
  // Only an explanation of the call hears of the budgets that let it pass.
  for (const { unit, amount, spent, whole } of used)
    if (spent < amount)
      rules.passOver?.('limit', `budget.${unit}`, `${formatAmount(unit, amount - spent)} of ${whole} left`)
  const usedUp = used.find(({ amount, spent }) => spent >= amount)
  if (usedUp === undefined) return undefined
  const { unit, spent, whole } = usedUp
  const plan = answerError(context, apiError('quota-exceeded'), { by: 'limit', name: `budget.${unit}` })
  const note = `the budget of ${whole} is used up (${formatAmount(unit, spent)}); only a reset refills it`
  return prependNotes({ plan }, [note])
}

/** Charges an answered call to the budget of its key. Errors, and calls that got no answer, cost nothing. */
export function chargeBudget(context: CallContext, plan: Plan, usage: Usage | undefined): readonly Effect[] {
  const { session, route } = context
  const status = statusOf(plan)
  const isAnswered = status >= 200 && status < 300
  if (!isAnswered || !route.readsBody) return []
  // A recorded answer may not say what it used. Then the prompt is the estimate that the limits made on arrival.
  const counted = usage ?? { prompt: context.rules.charge.tokens, completion: 0 }
  const tokens = BigInt(counted.prompt + counted.completion)
  const { prices } = context.rules.modelRule ?? {}
  const cost = { requests: 1n, tokens, usd: prices === undefined ? 0n : priceOf(prices, counted) }
  return [{ type: 'charge', sessionId: session.id, cost }]
}
