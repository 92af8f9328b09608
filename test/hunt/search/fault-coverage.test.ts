/** The coverage of a hunt: what became of changed answers, and the totals. */
import { expect, test } from 'vitest'
import { judgeAnswers } from '../../../src/hunt/search/changed-answers.ts'
import { coverageOf, describeShares } from '../../../src/hunt/search/fault-coverage.ts'
import type { CellOutcome } from '../../../src/hunt/search/hunt-table.ts'
import type { KnownCall } from '../../../src/hunt/search/known-calls.ts'
import type { AppRun, SeenCall } from '../../../src/hunt/search/known-runs.ts'

const callOf = (asked: string, when: object = { request: {} }) =>
  ({ label: asked, asked, when, content: 'text', isStream: false }) as unknown as KnownCall
const KNOWN = new Map(
  Object.entries({
    plan: callOf('plan'),
    answer: callOf('answer'),
    'answer to a wrong plan': callOf('answer'),
    'ask a human': callOf('ask a human'),
    'plan with another model': callOf('plan, with another model'),
  }),
)
const BASELINE: AppRun = { isPassed: true, calls: [{ id: 'plan', attempt: 1 }], shown: ['done'] }

type Outcome = Partial<AppRun> & { readonly more?: readonly SeenCall[] }

/** The verdicts when each fault alone leads to a run like the baseline, but for what is given. */
function judge(outcomes: Readonly<Record<string, Outcome>>, baseline = BASELINE, known = KNOWN) {
  const tried = Object.entries(outcomes).map(([fault, { more = [], ...run }]) => ({
    faults: [{ call: 'plan', attempt: 1, fault }],
    run: { ...BASELINE, calls: [{ id: 'plan', attempt: 1, fault }, ...more], ...run },
  }))
  return judgeAnswers({ tried }, 'plan', known, baseline)
}

const FAILS: Outcome = { isPassed: false }
const SAME: Outcome = {}

test('a changed answer after which nothing differs is unnoticed, if an error makes a difference', () => {
  expect(judge({ 'invalid-request': FAILS, 'empty-text': SAME })).toEqual({
    noticed: [],
    unnoticed: ['empty-text'],
    unclear: [],
  })
})

test('a class of faults counts as the fault that stands for it', () => {
  expect(judge({ 'bad-request': FAILS, 'wrong-answer': SAME }).unnoticed).toEqual(['empty-text'])
})

test('a changed answer is noticed when the app fails, shows something else, asks again or makes another call', () => {
  const others: readonly Outcome[] = [
    FAILS,
    { shown: ['no plan'] },
    { more: [{ id: 'plan', attempt: 2 }] },
    { more: [{ id: 'ask a human', attempt: 1 }] },
  ]
  for (const other of others)
    expect(judge({ 'invalid-request': FAILS, refusal: other })).toMatchObject({ noticed: ['refusal'], unnoticed: [] })
})

test('a later call that only repeats the changed answer is the same call', () => {
  const [first] = BASELINE.calls
  const baseline: AppRun = { ...BASELINE, calls: [first!, { id: 'answer', attempt: 1 }] }
  const carriesOn: Outcome = { more: [{ id: 'answer to a wrong plan', attempt: 1 }] }
  expect(judge({ 'invalid-request': FAILS, 'undeclared-tool': carriesOn }, baseline).unnoticed).toHaveLength(1)
  expect(judge({ 'invalid-request': FAILS, 'undeclared-tool': SAME }, baseline).noticed).toHaveLength(1)
})

test('calls that are known by their places only are not judged', () => {
  const known = new Map([['plan', callOf('plan', { endpoint: 'chat' })]])
  expect(judge({ 'invalid-request': FAILS, 'empty-text': SAME }, BASELINE, known).unclear).toEqual(['empty-text'])
})

test('an app that handles errors without a trace may handle wrong answers so too, which is not judged', () => {
  expect(judge({ 'invalid-request': SAME, 'empty-text': SAME }).unclear).toEqual(['empty-text'])
  expect(judge({ 'invalid-request': FAILS, hang: SAME, 'empty-text': SAME }).unclear).toEqual(['empty-text'])
})

test('an error that a fallback recovered from does not tell either', () => {
  const fallback: Outcome = { more: [{ id: 'plan with another model', attempt: 1 }] }
  expect(judge({ 'invalid-request': fallback, 'empty-text': SAME }).unclear).toEqual(['empty-text'])
})

test('an error that a retry recovered from does not tell if errors leave a trace', () => {
  const retried: Outcome = { more: [{ id: 'plan', attempt: 2 }] }
  expect(judge({ 'server-error': retried, 'empty-text': SAME }).unclear).toEqual(['empty-text'])
  expect(judge({ 'server-error': retried, 'invalid-request': FAILS, 'empty-text': SAME }).unnoticed).toHaveLength(1)
})

test('nothing is judged when no error was tried, or when runs without faults show different things', () => {
  expect(judge({ 'empty-text': SAME }).unclear).toEqual(['empty-text'])
  const changing = { ...BASELINE, shown: [] }
  expect(judge({ 'invalid-request': FAILS, 'empty-text': SAME }, changing).unclear).toEqual(['empty-text'])
})

test('an answer that a client can put right is not a changed one', () => {
  const judged = judge({ 'invalid-request': FAILS, 'shuffled-embeddings': SAME, unfinished: SAME })
  expect(Object.values(judged).flat()).toEqual([])
})

const tableOf = (...outcomes: CellOutcome[]) => ({
  classes: outcomes.map(String),
  rows: [
    {
      call: 1,
      id: 'plan',
      label: 'plan',
      cells: outcomes.map((outcome) => ({ outcome, runs: 1, pruned: {}, findings: [] })),
    },
  ],
})

test('cells that could not be tried do not lower the coverage, and unnoticed ones do', () => {
  const { percent, ...counts } = coverageOf(
    tableOf('survived', 'failed', 'failed in a pair', 'flaky', 'kept', 'pruned', 'not tried', 'unnoticed'),
  )
  expect(percent).toBe(71.4)
  expect(counts).toMatchObject({ cells: 8, tried: 6, kept: 1, pruned: 1, notTried: 1, unnoticed: 1 })
})

test('calls that only as many faults as the depth lead to are not counted', () => {
  const table = tableOf('survived')
  const beyond = { ...tableOf('not tried').rows[0]!, isBeyondDepth: true }
  const coverage = coverageOf({ ...table, rows: [...table.rows, beyond] })
  expect(coverage).toMatchObject({ percent: 100, cells: 1, notTried: 0, callsBeyondDepth: 1 })
  expect(describeShares(coverage)).toBe('100 % tried, 0 % pruned, 0 % not tried; 1 call beyond the depth not counted')
})

test('coverage is 0 when nothing could be tried, and 100 only when all was', () => {
  expect(coverageOf(tableOf('pruned')).percent).toBe(0)
  expect(coverageOf(tableOf()).percent).toBe(0)
  expect(coverageOf(tableOf('survived', 'pruned')).percent).toBe(100)
  const many = Array.from({ length: 2999 }, () => 'survived' as const)
  expect(coverageOf(tableOf(...many, 'not tried')).percent).toBe(99.9)
})

test('the totals in words', () => {
  const table = tableOf('survived', 'kept', 'pruned', 'not tried')
  const answers = { noticed: ['refusal'], unnoticed: ['empty-text'], unclear: ['wrong-enum'] }
  const [row] = table.rows
  const cells = [{ ...row!.cells[0]!, answers }, ...row!.cells.slice(1)]
  const coverage = coverageOf({ ...table, rows: [{ ...row!, cells }] })
  expect(coverage.percent).toBe(66.6)
  expect(describeShares(coverage)).toBe(
    '50 % tried, 25 % pruned, 25 % not tried; 25 % kept from an earlier hunt; 1 of 2 changed answers noticed; 1 not judged',
  )
})
