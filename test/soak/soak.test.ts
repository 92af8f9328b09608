/** A short soak; the long one is `npm run soak`. Memory is judged there only. */
import { expect, test } from 'vitest'
import { soak } from '../../scripts/soak/soak.ts'

test('six hundred mixed calls with aborts and faults are all counted, nothing stays open, and SIGTERM exits with 0', async () => {
  const checks = await soak({ calls: 600, connections: 32 })
  expect(checks.filter(({ isRight }) => !isRight)).toEqual([])
}, 120_000)
