/** Problems of budgets and prices in a scenario. */
import { expect, test } from 'vitest'
import { findProblems } from '../../support/find-problems.ts'

const problems = (settings: object) => findProblems({ description: 'x', ...settings })
const messages = (settings: object) => problems(settings).map(({ message }) => message)
const PRICES = { input: 2.5, output: 10 }

test('budgets of a scenario and of a key have no problems', () => {
  expect(problems({ budget: { tokens: 1000, requests: 0 }, keys: { 'sk-x': { budget: { tokens: 5 } } } })).toEqual([])
  expect(problems({ budget: { usd: 0.000001 }, models: { '*': { prices: PRICES } } })).toEqual([])
  const embedding = { endpoint: 'embeddings', prices: { input: 0.02 } }
  expect(problems({ models: { a: { prices: { ...PRICES, cachedInput: 0 } }, b: embedding } })).toEqual([])
})

test.each([
  [{ tokens: -1 }, 'expected a whole number from 0, got -1.'],
  [{ requests: 1.5 }, 'expected a whole number from 0, got 1.5.'],
  [{ tokens: '1000' }, "expected a whole number from 0, got '1000'."],
  [{ token: 5 }, "unknown field 'token'. Did you mean 'tokens'?"],
  [{ eur: 5 }, "unknown field 'eur'. Expected one of requests, tokens, usd."],
  ['1000 tokens', "expected a budget, such as { tokens: 1000 }, got '1000 tokens'."],
])('the budget %j is a problem', (budget, message) => {
  expect(messages({ budget })).toEqual([message])
  expect(messages({ keys: { 'sk-x': { budget } } })).toEqual([message])
})

test.each([-1, 0.0000001, Number.NaN, 2e9, '5'])('%s is no number of dollars', (usd) => {
  const found = problems({ budget: { usd }, models: { '*': { prices: PRICES } } })
  expect(found.map(({ path }) => path.join('.'))).toEqual(['budget.usd'])
  expect(found[0]!.message).toMatch(/^expected a number of US dollars from 0, with at most 6 decimals, got /)
})

test('a budget in usd needs models with prices, and the problem names each model without', () => {
  expect(problems({ keys: { 'sk-x': { budget: { usd: 1 } } } })).toEqual([
    {
      path: ['keys', 'sk-x', 'budget', 'usd'],
      isKey: true,
      message:
        'expected models with prices beside a budget in usd, got no models. Add models: { "*": { prices: { input: 2.5, output: 10 } } }.',
    },
  ])
  const models = { 'gpt-a': {}, 'gpt-b': { prices: PRICES }, 'gpt-c': { unavailable: 'deprecated' } }
  expect(problems({ budget: { usd: 1 }, models })).toEqual([
    {
      path: ['models', 'gpt-a'],
      isKey: true,
      message:
        "expected prices of the model 'gpt-a', because there is a budget in usd, got none. Add prices: { input: 2.5, output: 10 }.",
    },
  ])
})

test('the price of output may be left out for embeddings only', () => {
  const message = "expected 'output' beside 'input', got none. Only a model with endpoint: embeddings has no output."
  expect(problems({ models: { a: { prices: { input: 1 } } } })).toEqual([
    { path: ['models', 'a', 'prices'], isKey: true, message },
  ])
})
