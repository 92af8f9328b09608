/** Checks of budgets and costs beyond their shape: what counts dollars needs the price of every model. */

import { isObject } from '../../lib/text/json.ts'
import type { Problem } from '../check/problem.ts'

type Value = Readonly<Record<string, unknown>>

const EXAMPLE = 'prices: { input: 2.5, output: 10 }'

/** A chat has output, so its model needs a price for it. */
export function checkPrices({ prices, endpoint }: Value): Problem[] {
  if (!isObject(prices) || prices.output !== undefined || endpoint === 'embeddings') return []
  const message = "expected 'output' beside 'input', got none. Only a model with endpoint: embeddings has no output."
  return [{ path: ['prices'], message, isKey: true }]
}

/** A budget in dollars, or an expected cost, needs models with prices: without one, a call would cost nothing. */
export function checkBudgets(scenario: Value): Problem[] {
  const path = findDollars(scenario)
  if (path === undefined) return []
  const reason = path[0] === 'expect' ? 'an expected cost' : 'a budget in usd'
  const { models } = scenario
  if (models === undefined) {
    const message = `expected models with prices beside ${reason}, got no models. Add models: { "*": { ${EXAMPLE} } }.`
    return [{ path, message, isKey: true }]
  }
  if (!isObject(models)) return []
  return Object.entries(models)
    .filter(([, model]) => isObject(model) && model.prices === undefined && !isNeverServed(model))
    .map(([name]) => {
      const message = `expected prices of the model '${name}', because there is ${reason}, got none. Add ${EXAMPLE}.`
      return { path: ['models', name], message, isKey: true }
    })
}

const isNeverServed = ({ unavailable, endpoint }: Value): boolean =>
  unavailable === 'deprecated' || (unavailable === 'responses-only' && endpoint === 'chat')

/** The path of the first budget in dollars, or of the expected cost. */
function findDollars({ budget, keys, expect }: Value): Problem['path'] | undefined {
  if (isObject(budget) && budget.usd !== undefined) return ['budget', 'usd']
  if (isObject(expect) && expect.cost !== undefined) return ['expect', 'cost']
  if (!isObject(keys)) return undefined
  const name = Object.keys(keys).find((key) => {
    const settings = keys[key]
    return isObject(settings) && isObject(settings.budget) && settings.budget.usd !== undefined
  })
  return name === undefined ? undefined : ['keys', name, 'budget', 'usd']
}
