/** A budget runs out after the same call in every transport, and clients see the error of the service. */
import OpenAI, { RateLimitError } from 'openai'
import { expect, test } from 'vitest'
import { stillMock, transports } from '../support/transports.ts'

const HELLO = { model: 'echo-1', messages: [{ role: 'user' as const, content: 'Hello there!' }] }

test.each(transports)('a spent budget refuses every later call, over $name', async (transport) => {
  const prices = { input: 1, output: 2 }
  const models = { 'echo-1': { prices }, 'hash-1': { endpoint: 'embeddings' as const, prices: { input: 1 } } }
  // A chat costs 16 millionths of a dollar, and this embedding 4.
  const scenario = { models, keys: { 'sk-test': { budget: { usd: 0.00003 } }, 'sk-other': {} } }
  const mock = stillMock({ description: 'a budget', ...scenario }, 1)
  await using opened = await transport.open(mock)
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: opened.baseUrl, maxRetries: 0 })
  const client = clientOf('sk-test')

  await client.chat.completions.create(HELLO)
  await client.embeddings.create({ model: 'hash-1', input: 'one two three four' })
  for await (const _ of await client.chat.completions.create({ ...HELLO, stream: true }));
  for (let call = 0; call < 3; call++) {
    const error = await client.chat.completions.create(HELLO).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota', param: null })
    expect((error as RateLimitError).headers.has('retry-after')).toBe(false)
  }
  const embed = client.embeddings.create({ model: 'hash-1', input: 'one' })
  await expect(embed).rejects.toMatchObject({ code: 'insufficient_quota' })
  await clientOf('sk-other').chat.completions.create(HELLO)
  expect((await client.models.list()).data).toHaveLength(2)

  expect(mock.journal.map(({ limit }) => limit ?? '').slice(0, 8)).toEqual([
    '',
    '',
    '',
    'budget.usd',
    'budget.usd',
    'budget.usd',
    'budget.usd',
    '',
  ])
  expect(mock.limitUsage[0]!.limits).toEqual([{ kind: 'budget.usd', limit: 0.00003, used: 0.000036 }])
  mock.reset()
  await client.chat.completions.create(HELLO)
})
