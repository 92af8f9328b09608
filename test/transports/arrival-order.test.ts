/** Calls are decided in order of arrival, even while a page loads the token tables. */
import { expect, test, vi } from 'vitest'
import { realClock } from '../../src/engine/clock/clock.ts'
import { send } from '../support/send.ts'
import { stillMock, transports } from '../support/transports.ts'
import { contractCall } from './calls.ts'

const gate = vi.hoisted(() => ({ waiting: 0, open: () => {}, opened: Promise.resolve() }))

// In process, calls wait for the tables as they do in a page, until the test says that they are loaded.
vi.mock('../../src/engine/tokenizers.ts', async (importOriginal) => ({
  ...(await importOriginal<typeof import('../../src/engine/tokenizers.ts')>()),
  loadTokenizers: () => {
    gate.waiting++
    return gate.opened
  },
}))

const ask = (key: string, model: string) =>
  contractCall(model, { key, body: { model, messages: [{ role: 'user', content: 'Hello!' }] } })

test.each(transports)('over $name', { timeout: 60_000 }, async ({ open }) => {
  gate.waiting = 0
  gate.opened = new Promise((resolve) => {
    gate.open = resolve
  })
  const scenario = { description: 'One call per key and day.', limits: { requests: '1 per day' } } as const
  const mock = stillMock(scenario, 1, { clock: realClock() })
  await using opened = await open(mock)
  const arrived = (calls: number) =>
    vi.waitFor(() => expect(Math.max(gate.waiting, mock.journal.length)).toBe(calls), { timeout: 30_000 })

  const first = send(opened.baseUrl, ask('sk-a', 'gpt-4o'))
  await arrived(1)
  const second = send(opened.baseUrl, ask('sk-a', 'gpt-4'))
  await arrived(2)
  const other = send(opened.baseUrl, ask('sk-b', 'gpt-4'))
  await arrived(3)

  gate.open()
  expect([(await first).status, (await second).status, (await other).status]).toEqual([200, 429, 200])
})
