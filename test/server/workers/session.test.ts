/** What the primary makes of a worker's reports. */
import { expect, test } from 'vitest'
import { CALL_HEADERS } from '../../../src/core/request/decisive-headers.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock } from '../../../src/index.ts'
import type { FromPrimary } from '../../../src/workers/messages.ts'
import { WorkerSession } from '../../../src/workers/worker-session.ts'

test('the journal keeps the time that the worker measured, even if the call took long to reach the primary', async () => {
  const mock = createMock({ description: 'Slow.', pace: { firstToken: '1h' }, limits: { tokens: '1000 per day' } })
  let onPlan = (_: FromPrimary): void => {}
  const planned = new Promise<FromPrimary>((resolve) => {
    onPlan = resolve
  })
  const session = new WorkerSession(engineOf(mock), onPlan)
  const headers = CALL_HEADERS.map((name) => (name === 'authorization' ? 'Bearer sk-test' : undefined))
  const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }] })
  const report = { calls: [], notes: [], late: [] }
  session.receive({ ...report, calls: [[1, 'POST', '/v1/chat/completions', undefined, body, ...headers]] })
  await planned
  // One hour on the worker's clock, which is far ahead of this one.
  session.receive({ ...report, notes: [[1, 'complete', 3_600_000, 2]] })
  expect(mock.journal).toMatchObject([{ outcome: 'complete', durationMs: 3_600_000 }])
})
