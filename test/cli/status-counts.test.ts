/** The summary of the calls of a run. */
import { expect, test } from 'vitest'
import { StatusCounts } from '../../src/cli/output/status-counts.ts'

type Call = Parameters<StatusCounts['add']>[0]

const call = (status: number, fault?: string, outcome: Call['outcome'] = 'complete'): Call => ({
  status,
  fault,
  outcome,
})

test.each<[string, readonly Call[]]>([
  ['no calls', []],
  ['1 call (1 x 200)', [call(200)]],
  ['2 calls (1 x 200, 1 x 429)', [call(429), call(200)]],
  ['2 calls (1 x no answer, 1 x 500)', [call(500, 'server-error'), call(0, 'reset', 'cut')]],
  ['2 calls (2 x 200, 1 of them with a fault or cut)', [call(200), call(200, undefined, 'cut')]],
  [
    '3 calls (2 x 200, 2 of them with a fault or cut, 1 x 503)',
    [call(200, 'cut', 'cut'), call(200, 'missing-done'), call(503, 'overloaded')],
  ],
])('%s', (text, calls) => {
  expect(String(new StatusCounts(calls))).toBe(text)
})
