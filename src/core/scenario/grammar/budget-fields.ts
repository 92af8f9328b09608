/** The fields of a budget, and the prices of a model that a budget in dollars counts with. */
import * as z from 'zod'
import { DOLLAR_DECIMALS } from '../compile/budget.ts'
import { count, only, optional } from './fields.ts'

const MAX_DOLLARS = 1_000_000_000
const DOLLARS = `a number of US dollars from 0, with at most ${DOLLAR_DECIMALS} decimals`
const dollars = z
  .number({ error: DOLLARS })
  .min(0, { error: DOLLARS })
  .max(MAX_DOLLARS, { error: DOLLARS })
  .refine((value) => Number(value.toFixed(DOLLAR_DECIMALS)) === value, { error: DOLLARS })

export const budget = only(
  {
    requests: optional(count(0), 'answered calls: a whole number from 0'),
    tokens: optional(count(0), 'tokens of prompts and answers: a whole number from 0'),
    usd: optional(dollars, `cost by the prices of the models: ${DOLLARS}`),
  },
  'a budget, such as { tokens: 1000 }',
)

export const prices = only(
  {
    input: dollars.meta({ description: `a million input tokens: ${DOLLARS}` }),
    cachedInput: optional(dollars, 'a million input tokens from the prompt cache. Default: as input'),
    output: optional(dollars, 'a million output tokens. Required, except for a model with endpoint: embeddings'),
  },
  'prices in US dollars for a million tokens, such as { input: 2.5, output: 10 }',
)

/** In JSON Schema: the model of a chat has a price for output. */
export const priceRules = {
  allOf: [
    {
      anyOf: [
        { not: { required: ['prices'] } },
        { properties: { prices: { required: ['output'] } } },
        { required: ['endpoint'], properties: { endpoint: { const: 'embeddings' } } },
      ],
    },
  ],
}
