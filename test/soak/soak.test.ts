/** A short soak; the long one is `npm run soak`. Memory is judged there only. */
import { expect, test } from 'vitest'
import { soak } from './soak.ts'

test('six hundred mixed calls with aborts and faults: each is counted, nothing stays open, and SIGTERM ends it well', async () => {
  const checks = await soak({ calls: 600, connections: 32 })
  expect(checks.filter(({ isRight }) => !isRight)).toEqual([])
}, 120_000)
