/** The tokens and the cost of calls, as the journal has them. */
import { expect, test } from 'vitest'
import { ask, steppingMock } from '../../support/stepping.ts'

const mock = steppingMock({
  models: { priced: { prices: { input: 2, output: 8 } }, free: {} },
  replies: [{ say: 'Hi there.' }],
})
const asking = (model: string, more: object = {}) => ({
  body: { model, messages: [{ role: 'user', content: 'Hello there!' }], ...more },
})

test('the usage of a call is what its answer says, with the cost by the prices of its model', async () => {
  const { entry } = await ask(mock, asking('priced'))
  const { promptTokens = 0, completionTokens = 0 } = entry.usage ?? {}
  const answer = JSON.parse(entry.timeline?.map((step) => ('data' in step ? step.data : '')).join('') ?? '')
  expect(answer.usage).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: completionTokens })
  expect(entry.usage?.usd).toBeCloseTo((promptTokens * 2 + completionTokens * 8) / 1e6, 12)
  expect(entry.toJSON().usage).toEqual(entry.usage)
})

test('a model without prices has no cost, and an error uses no tokens', async () => {
  const free = await ask(mock, asking('free'))
  expect(Object.keys(free.entry.usage ?? {})).toEqual(['promptTokens', 'completionTokens'])
  const failed = await ask(mock, { ...asking('free'), headers: { 'x-mock-fault': 'server-error' } })
  expect(failed.entry.usage).toBeUndefined()
  const invalid = await ask(mock, asking('free', { temperature: 9 }))
  expect(invalid.entry.usage).toBeUndefined()
})
