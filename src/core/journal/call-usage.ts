/** The tokens of a call and what they cost, as the journal has them. */
import type { Usage } from '../decide/call/answer.ts'
import type { CallContext } from '../decide/call/call-context.ts'
import { priceOf, toNumber } from '../scenario/compile/budget.ts'

/** The tokens of an answer. */
export interface CallUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** The cost in US dollars, by the `prices` of the model; left out for a model without prices. */
  readonly usd?: number
}

/** What the tokens of a call cost in US dollars; undefined for a model without prices. */
export function costOf({ modelRule }: CallContext, usage: Usage | undefined): number | undefined {
  const prices = modelRule?.prices
  return usage === undefined || prices === undefined ? undefined : toNumber('usd', priceOf(prices, usage))
}
