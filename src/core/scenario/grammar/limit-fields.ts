/**
 * The fields of limits, budgets and prices, and the checks that they fit together.
 *
 *   limits: { requests: 60 per minute, concurrent: 5 }
 *   budget: { usd: 0.05 }
 *   models: { "*": { prices: { input: 2.5, output: 10 } } }
 */
import { WINDOWS } from '../../lib/text/duration.ts'
import { isObject, type JsonObject, toList } from '../../lib/text/json.ts'
import { DOLLAR_DECIMALS } from '../compile/budget.ts'
import { isStoreUrl, parseRate, STORE, STORE_URL } from '../compile/limits.ts'
import { type AddProblem, checkedBy, count, either, mapOf, number, oneOf, oneOrMany, text } from './fields.ts'

// Limits

const RATE_PATTERN = new RegExp(`^[1-9]\\d{0,11} per (?:${Object.keys(WINDOWS).join('|')})$`)
export const RATE = 'a rate such as 60 per minute (second, minute, hour or day)'
export const RATES = `${RATE}, or a list of rates for different windows`
const rate = text(RATE_PATTERN, RATE)
const rates = oneOrMany(rate, RATES).superRefine(...checkedBy([checkRates], () => true))

/** Checks that rates are for different windows: of two for the same, one would have no effect. */
function checkRates(value: unknown, add: AddProblem): void {
  if (!Array.isArray(value)) return
  const windows = value.map((rate) => (typeof rate === 'string' ? / per (\w+)$/.exec(rate)?.[1] : undefined))
  for (const [index, window] of windows.entries())
    if (window !== undefined && windows.indexOf(window) !== index)
      add([index], `expected one rate for each window, got a second rate per ${window}.`)
}

const limitFields = {
  requests: rates.describe(`requests per key: ${RATES}`),
  tokens: rates.describe(`tokens per key: ${RATES}`),
  concurrent: count().describe('calls in flight per key: a whole number from 1'),
}
const LIMITS = 'limits, such as { requests: 60 per minute }'
export const limits = mapOf(limitFields, LIMITS)

const storeUrl = text(STORE_URL, STORE, isStoreUrl)
const STORE_UNAVAILABLE =
  'what happens to calls while the store does not answer: they get a 503 (refuse, the default) or are answered without limits (allow)'
const SHARED = `${STORE}, or { url: ..., unavailable: allow }`
const unavailable = oneOf(['refuse', 'allow']).describe(STORE_UNAVAILABLE)
const shared = either([storeUrl, mapOf({ url: storeUrl, unavailable }, SHARED, ['url'])], SHARED)
const CHARGE =
  'the tokens that a call is charged: by the texts and images it sends, as recorded (prompt, the default), or its answer too: on arrival at least max_tokens, as documented, and at its end what it has used (answer)'
export const scenarioLimits = mapOf(
  {
    ...limitFields,
    charge: oneOf(['prompt', 'answer']).describe(CHARGE),
    shared: shared.describe(
      `the store that counts the limits, those of keys and models too, for several processes together: ${SHARED}`,
    ),
  },
  LIMITS,
).describe('The limits of each key. A call over a limit is a 429.')

/** Checks that the rates of all limits, those of keys and models too, can be counted in a store. */
export function checkSharedLimits({ limits, keys, models }: JsonObject, add: AddProblem): void {
  if (!isObject(limits) || limits.shared === undefined) return
  checkStoredRates(limits, ['limits'], add)
  for (const [list, owners] of Object.entries({ keys, models })) {
    for (const [name, owner] of Object.entries(isObject(owners) ? owners : {}))
      if (isObject(owner)) checkStoredRates(owner.limits, [list, name, 'limits'], add)
  }
}

/**
 * Checks that a full bucket, which is `amount` times the milliseconds of the window, fits in the store: it counts in
 * doubles, which hold whole numbers up to 2 ** 53.
 */
function checkStoredRates(limits: unknown, path: readonly string[], add: AddProblem): void {
  if (!isObject(limits)) return
  for (const kind of ['requests', 'tokens']) {
    const rates = toList(limits[kind])
    for (const [index, rate] of rates.entries()) {
      if (typeof rate !== 'string' || !RATE_PATTERN.test(rate)) continue
      const { amount, window, windowMs } = parseRate(rate)
      const most = Math.floor(Number.MAX_SAFE_INTEGER / windowMs)
      const message = `expected at most ${most} per ${window} beside limits.shared, got '${rate}'.`
      if (amount > most) add([...path, kind, ...(rates.length > 1 ? [index] : [])], message)
    }
  }
}

// Budgets and prices

const DOLLARS = `a number of US dollars from 0, with at most ${DOLLAR_DECIMALS} decimals`
const dollars = number(0, 1_000_000_000, DOLLARS).refine((value) => Number(value.toFixed(DOLLAR_DECIMALS)) === value, {
  error: DOLLARS,
})

export const budget = mapOf(
  {
    requests: count(0).describe('answered calls: a whole number from 0'),
    tokens: count(0).describe('tokens of prompts and answers: a whole number from 0'),
    usd: dollars.describe(`cost by the prices of the models: ${DOLLARS}`),
  },
  'a budget, such as { tokens: 1000 }',
)

export const prices = mapOf(
  {
    input: dollars.describe(`a million input tokens: ${DOLLARS}`),
    cachedInput: dollars.describe('a million input tokens from the prompt cache. Default: as input'),
    output: dollars.describe('a million output tokens. Required, except for a model with endpoint: embeddings'),
  },
  'prices in US dollars for a million tokens, such as { input: 2.5, output: 10 }',
  ['input'],
)

/** Checks that the model of a chat, which has output, has a price for it. */
export function checkPrices({ prices, endpoint }: JsonObject, add: AddProblem): void {
  if (!isObject(prices) || prices.output !== undefined || endpoint === 'embeddings') return
  const message = "expected 'output' beside 'input', got none. Only a model with endpoint: embeddings has no output."
  add(['prices'], message, 'key')
}

const EXAMPLE = 'prices: { input: 2.5, output: 10 }'

/** Checks that models have prices where a budget counts dollars: without them, a call would cost nothing. */
export function checkBudgets({ budget, keys, models }: JsonObject, add: AddProblem): void {
  const ofKeys = Object.entries(isObject(keys) ? keys : {}).map(([name, key]) => ({
    path: ['keys', name, 'budget', 'usd'],
    amounts: isObject(key) ? key.budget : undefined,
  }))
  const budgets = [{ path: ['budget', 'usd'], amounts: budget }, ...ofKeys]
  const inDollars = budgets.find(({ amounts }) => isObject(amounts) && amounts.usd !== undefined)
  if (inDollars === undefined) return
  const noModels = `expected models with prices beside a budget in usd, got no models. Add models: { "*": { ${EXAMPLE} } }.`
  if (models === undefined) return add(inDollars.path, noModels, 'key')
  for (const [name, model] of Object.entries(isObject(models) ? models : {})) {
    if (!isObject(model) || model.prices !== undefined || model.unavailable === 'deprecated') continue
    const message = `expected prices of the model '${name}', because there is a budget in usd, got none. Add ${EXAMPLE}.`
    add(['models', name], message, 'key')
  }
}
