/** Calls of one key are decided in order of arrival, even while the tokenizer of the first is loaded. */
import { expect, test, vi } from 'vitest'
import { realClock } from '../../src/engine/clock/clock.ts'
import { send } from '../support/send.ts'
import { stillMock, transports } from '../support/transports.ts'
import { contractCall } from './calls.ts'

const gate = vi.hoisted(() => ({ loading: 0, open: () => {}, opened: Promise.resolve() }))

// Only the encoding of the first call is not loaded yet, and its loading ends when the test says so.
vi.mock('../../src/engine/tokenizers.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/engine/tokenizers.ts')>()
  await original.loadTokenizer('cl100k_base')
  return {
    ...original,
    isLoaded: (encoding: string) => encoding === 'cl100k_base',
    loadTokenizer: async (encoding: 'o200k_base') => {
      gate.loading++
      await gate.opened
      return original.loadTokenizer(encoding)
    },
  }
})

const ask = (key: string, model: string) =>
  contractCall(model, { key, body: { model, messages: [{ role: 'user', content: 'Hello!' }] } })

test.each(transports)('over $name', { timeout: 60_000 }, async ({ open }) => {
  gate.loading = 0
  gate.opened = new Promise((resolve) => {
    gate.open = resolve
  })
  const scenario = { description: 'One call per key and day.', limits: { requests: '1 per day' } } as const
  await using opened = await open(stillMock(scenario, 1, { clock: realClock() }))

  const first = send(opened.baseUrl, ask('sk-a', 'gpt-4o'))
  await vi.waitFor(() => expect(gate.loading).toBe(1), { timeout: 30_000 })
  const second = send(opened.baseUrl, ask('sk-a', 'gpt-4'))
  const other = await send(opened.baseUrl, ask('sk-b', 'gpt-4'))
  expect(other.status).toBe(200)

  gate.open()
  expect([(await first).status, (await second).status]).toEqual([200, 429])
})
