/** What the primary and a worker make of each other's messages. */
import { expect, test, vi } from 'vitest'
import { packPlan } from '../../../src/core/journal/packed-plan.ts'
import { CALL_HEADERS } from '../../../src/core/request/decisive-headers.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock } from '../../../src/index.ts'
import type { FromPrimary, Report } from '../../../src/workers/messages.ts'
import { RemotePlanner } from '../../../src/workers/remote-planner.ts'
import { WorkerSession } from '../../../src/workers/worker-session.ts'

const headers = CALL_HEADERS.map((name) => (name === 'authorization' ? 'Bearer sk-test' : undefined))
const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }] })
const report = { calls: [], notes: [], late: [] }

test('the journal keeps the time that the worker measured, even if the call took long to reach the primary', async () => {
  const mock = createMock({ description: 'Slow.', pace: { firstToken: '1h' }, limits: { tokens: '1000 per day' } })
  let onPlan = (_: FromPrimary): void => {}
  const planned = new Promise<FromPrimary>((resolve) => {
    onPlan = resolve
  })
  const session = new WorkerSession(engineOf(mock), onPlan)
  session.receive({ ...report, calls: [[1, 'POST', '/v1/chat/completions', undefined, body, ...headers]] })
  await planned
  // One hour on the worker's clock, which is far ahead of this one.
  session.receive({ ...report, notes: [[1, 'complete', 3_600_000, 2]] })
  expect(mock.journal).toMatchObject([{ outcome: 'complete', durationMs: 3_600_000 }])
})

test('a worker sends the last event only after the primary has settled the call', async () => {
  const reports: Report[] = []
  const planner = new RemotePlanner({ bodyLimit: 1000, speed: 1 }, (report) => reports.push(report))
  const begun = planner.begin({
    method: 'POST',
    path: '/v1/chat/completions',
    query: undefined,
    header: () => undefined,
    body: '{}',
    bodyLimit: 1000,
    now: 0,
    speed: 1,
    transport: 'http',
  })
  planner.answer([[1, 0, true, 200, {}, packPlan([])]])
  const exchange = await begun
  let isFinished = false
  exchange.beforeEnd?.(() => {
    isFinished = true
  })
  expect(reports.at(-1)?.notes[0]?.slice(0, 2)).toEqual([1, 'ending'])
  expect(isFinished).toBe(false)
  planner.settled([1])
  expect(isFinished).toBe(true)
})

test('the primary confirms an end after it has freed the slot', async () => {
  const mock = createMock({ pace: { firstToken: '1h' }, limits: { concurrent: 1 } })
  const messages: FromPrimary[] = []
  const session = new WorkerSession(engineOf(mock), (message) => {
    messages.push(message)
    if (message.type === 'settled') expect(mock.limitUsage).toMatchObject([{ limits: [{ used: 0 }] }])
  })
  session.receive({ ...report, calls: [[1, 'POST', '/v1/chat/completions', undefined, body, ...headers]] })
  await vi.waitFor(() => expect(messages).toHaveLength(1))
  session.receive({ ...report, notes: [[1, 'ending', 1, 2]] })
  expect(messages[1]).toEqual({ type: 'settled', ids: [1] })
})
