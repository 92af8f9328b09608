/**
 * Compiles budgets and prices to whole numbers. Dollars are counted in picodollars (10 ** -12), because fractions of cents
 * would drift.
 *
 *   { tokens: 1000, usd: 0.05 }    a budget in a scenario
 *   { tokens: 1000n, usd: 50_000_000_000n }    compiled
 */
import type { ModelSource, ScenarioSource } from '../scenario-source.ts'

/** The units of a budget, in the order in which they are checked. */
export const BUDGET_UNITS = ['requests', 'tokens', 'usd'] as const
export type BudgetUnit = (typeof BUDGET_UNITS)[number]

/** An amount of each unit; US dollars are in picodollars. */
export type Amounts = Readonly<Record<BudgetUnit, bigint>>

/** The total that a key may use until a reset; a unit that is left out is not limited. */
export type Budget = Partial<Amounts>

/** Prices of one token, in picodollars. */
export type Prices = Readonly<ReturnType<typeof compilePrices>>

export const NOTHING_SPENT: Amounts = { requests: 0n, tokens: 0n, usd: 0n }

/** The most decimals of a number of dollars in a scenario, which is a whole number of microdollars. */
export const DOLLAR_DECIMALS = 6
const PICO_PER_MICRO = 1_000_000n

/** The budget of a key. A unit that the key has replaces the same unit of the scenario. Undefined without any budget. */
export function compileBudget(scenario: ScenarioSource['budget'], key: ScenarioSource['budget']): Budget | undefined {
  if (scenario === undefined && key === undefined) return undefined
  const { requests, tokens, usd } = { ...scenario, ...key }
  return {
    ...(requests !== undefined && { requests: BigInt(requests) }),
    ...(tokens !== undefined && { tokens: BigInt(tokens) }),
    ...(usd !== undefined && { usd: toMicrodollars(usd) * PICO_PER_MICRO }),
  }
}

/** Cost of the tokens of a call, in picodollars. */
export function priceOf({ input, cachedInput, output }: Prices, { prompt, completion, cache }: TokenCounts): bigint {
  const cached = cache?.cachedTokens ?? 0
  return BigInt(prompt - cached) * input + BigInt(cached) * cachedInput + BigInt(completion) * output
}

interface TokenCounts {
  readonly prompt: number
  readonly completion: number
  readonly cache?: { readonly cachedTokens: number } | undefined
}

/** A price is for a million tokens, so its microdollars are the picodollars of one token. */
export function compilePrices({ input, cachedInput = input, output = 0 }: NonNullable<ModelSource['prices']>) {
  return { input: toMicrodollars(input), cachedInput: toMicrodollars(cachedInput), output: toMicrodollars(output) }
}

/** An amount as people write it: `1000 tokens`, `1 request`, `$0.05`. */
export function formatAmount(unit: BudgetUnit, amount: bigint): string {
  if (unit === 'usd') return `$${formatDollars(amount)}`
  return `${amount} ${amount === 1n ? unit.slice(0, -1) : unit}`
}

/** An amount as a number: of dollars for `usd`. Rounded once, where it has more digits than a number holds. */
export const toNumber = (unit: BudgetUnit, amount: bigint): number =>
  Number(unit === 'usd' ? formatDollars(amount) : amount)

/** `0.05`: dollars with 2 to 12 decimals, and no zeros after the second. */
function formatDollars(picodollars: bigint): string {
  const digits = picodollars.toString().padStart(13, '0')
  const decimals = digits.slice(-12).replace(/0{1,10}$/, '')
  return `${digits.slice(0, -12)}.${decimals}`
}

// The grammar allows no more decimals, so no digit is lost.
const toMicrodollars = (dollars: number): bigint => BigInt(dollars.toFixed(DOLLAR_DECIMALS).replace('.', ''))
