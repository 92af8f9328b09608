/** The verdicts on `expect`: when a run passes, fails, or leaves the question open. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import { type Expectations, judge, type RunFacts } from '../../../src/core/report/expectations.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { buildMockReport } from '../../../src/engine/mock-report.ts'
import { ask, steppingMock } from '../../support/stepping.ts'

const VALID = { valid: true, verdict: 'results valid' }

/** A call each second, each of another request unless it says so. */
const calls = (count: number, of: (index: number) => Partial<JournalEntry> = () => ({})): JournalEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    at: index * 1000,
    method: 'POST',
    path: '/v1/chat/completions',
    endpoint: 'chat',
    key: 'sk-****test',
    caller: 'one',
    model: 'echo-1',
    request: String(index),
    attempt: 1,
    status: 200,
    headers: {},
    reason: { by: 'echo', name: 'echo' },
    usage: { promptTokens: 100, completionTokens: 20 },
    notes: [],
    unmatched: false,
    outcome: 'complete',
    durationMs: 10,
    bytes: 100,
    ...of(index),
  }))

/** The verdicts as lines. */
function verdicts(expected: Expectations, entries: readonly JournalEntry[], facts: Partial<RunFacts> = {}): string[] {
  const run = { entries, dropped: 0, timing: VALID, ...facts }
  return judge(expected, run).map(
    ({ name, verdict, found, reason }) => `${name} ${verdict}: ${found}${reason === undefined ? '' : `. ${reason}`}`,
  )
}

const failing = (count: number) => (index: number) => (index < count ? { status: 500 } : {})

test('a share of errors is judged once there are enough calls that one call does not decide it', () => {
  const expected = { errors: '< 1%' }
  expect(verdicts(expected, calls(1000, failing(9)))).toEqual(['errors PASS: 9 of 1000 calls (0.9%)'])
  expect(verdicts(expected, calls(1000, failing(10)))).toEqual(['errors FAIL: 10 of 1000 calls (1%)'])
  expect(verdicts(expected, calls(100))).toEqual(['errors PASS: 0 of 100 calls (0%)'])
  const tooFew = 'Too few to tell: expected at least 100 calls, got 99.'
  expect(verdicts(expected, calls(99))).toEqual([`errors INCONCLUSIVE: 0 of 99 calls (0%). ${tooFew}`])
  expect(verdicts(expected, calls(99, failing(1)))).toEqual([`errors INCONCLUSIVE: 1 of 99 calls (1.01%). ${tooFew}`])
  expect(verdicts(expected, calls(99, failing(2)))).toEqual(['errors FAIL: 2 of 99 calls (2.02%)'])
})

test('a number of errors needs no number of calls', () => {
  expect(verdicts({ errors: 0 }, calls(1))).toEqual(['errors PASS: 0 of 1 call (0%)'])
  expect(verdicts({ errors: '<= 1' }, calls(2, failing(2)))).toEqual(['errors FAIL: 2 of 2 calls (100%)'])
})

test('a hang, a cut answer and a status from 400 are errors; a call that a client left is none', () => {
  const each = [
    { status: 0 },
    { outcome: 'cut' },
    { status: 404 },
    { outcome: 'client-left' },
    { outcome: 'open' },
  ] as const
  expect(
    verdicts(
      { errors: 3 },
      calls(5, (index) => each[index]!),
    ),
  ).toEqual(['errors PASS: 3 of 5 calls (60%)'])
})

test('a failed call that a retry followed is recovered, unless the last retry fails', () => {
  const retried = calls(3, (index) => ({ request: 'a', status: index < 2 ? 500 : 200 }))
  expect(verdicts({ unrecovered: 0, retries: '< 2' }, retried)).toEqual([
    'unrecovered PASS: 0 of 1 request (0%)',
    'retries FAIL: 2 retries',
  ])
  expect(verdicts({ unrecovered: 0, retries: 1 }, retried.slice(0, 2))).toEqual([
    'unrecovered FAIL: 1 of 1 request (100%)',
    'retries PASS: 1 retry',
  ])
})

test('retries are counted from each answer on', () => {
  const statuses = [500, 200, 500, 500, 200]
  const entries = calls(5, (index) => ({ request: 'a', status: statuses[index]! }))
  expect(verdicts({ retries: '<= 2' }, entries)).toEqual(['retries PASS: 2 retries'])
})

test('a percentile is judged by the calls above the bound', () => {
  const slow = (count: number) => (index: number) => ({ durationMs: index < count ? 3000 : 10 })
  expect(verdicts({ p99: '< 2s', p50: '<= 10ms' }, calls(200, slow(2)))).toEqual([
    'p99 PASS: 10 ms over 200 answered calls',
    'p50 PASS: 10 ms over 200 answered calls',
  ])
  expect(verdicts({ p99: '< 2s' }, calls(200, slow(3)))).toEqual(['p99 FAIL: 3000 ms over 200 answered calls'])
  const tooFew = 'Too few to tell: expected at least 100 answered calls, got 40.'
  expect(verdicts({ p99: '< 2s' }, calls(40))).toEqual([`p99 INCONCLUSIVE: 10 ms over 40 answered calls. ${tooFew}`])
  expect(verdicts({ p99: '< 2s' }, calls(40, slow(1)))).toEqual([
    `p99 INCONCLUSIVE: 3000 ms over 40 answered calls. ${tooFew}`,
  ])
  expect(verdicts({ p99: '< 2s' }, calls(40, slow(2)))).toEqual(['p99 FAIL: 3000 ms over 40 answered calls'])
})

test('times are inconclusive when the timing is invalid, or when no call was answered', () => {
  const timing = { valid: false, verdict: 'results invalid: the machine was busy' }
  expect(verdicts({ p50: '< 2s' }, calls(10), { timing })).toEqual([
    'p50 INCONCLUSIVE: 10 ms over 10 answered calls. The times cannot be trusted: results invalid: the machine was busy',
  ])
  expect(verdicts({ p50: '< 2s' }, calls(10, failing(10)))).toEqual([
    'p50 INCONCLUSIVE: no times to judge. No call was answered.',
  ])
})

test('dropped calls count as calls, and leave open what they could change', () => {
  const dropped = { dropped: 5 }
  expect(verdicts({ calls: 15 }, calls(10), dropped)).toEqual(['calls PASS: 15 calls'])
  expect(verdicts({ errors: '<= 3', retries: 'at least 0' }, calls(10), dropped)).toEqual([
    'errors INCONCLUSIVE: 0 of 10 calls (0%). The journal has dropped 5 earlier calls.',
    'retries PASS: 0 retries',
  ])
  expect(verdicts({ errors: '<= 3' }, calls(10, failing(4)), dropped)).toEqual(['errors FAIL: 4 of 10 calls (40%)'])
})

test('without calls, only their number is judged', () => {
  expect(verdicts({ calls: 'at least 1', errors: '< 1%', retries: 0 }, [])).toEqual([
    'calls FAIL: 0 calls',
    'errors INCONCLUSIVE: no calls. There were no calls.',
    'retries INCONCLUSIVE: no calls. There were no calls.',
  ])
})

test('preflights are no calls', () => {
  expect(
    verdicts(
      { calls: 1 },
      calls(2, (index) => (index === 0 ? { method: 'OPTIONS' } : {})),
    ),
  ).toEqual(['calls PASS: 1 call'])
})

test('a mock judges its own journal, which has the usage of its calls', async () => {
  const mock = steppingMock({ models: { '*': { prices: { input: 1000, output: 1000 } } }, expect: { calls: 1 } })
  await ask(mock)
  expect(mock.journal[0]?.usage).toEqual({ promptTokens: 9, completionTokens: 2, usd: 0.011 })
  expect(buildMockReport(engineOf(mock).view).expectations).toEqual([
    { name: 'calls', expected: '1', found: '1 call', verdict: 'PASS' },
  ])
  expect(buildMockReport(engineOf(steppingMock()).view).expectations).toBeUndefined()
})
