/** The result of a search as a table of calls and classes of faults. */
import { expect, test } from 'vitest'
import { groupFindings } from '../../../src/hunt/causes.ts'
import type { PlannedFault } from '../../../src/hunt/search/fault-set.ts'
import { buildTable, type KeptCells, type TableCell } from '../../../src/hunt/search/hunt-table.ts'
import type { KnownCall } from '../../../src/hunt/search/known-calls.ts'
import type { AppRun } from '../../../src/hunt/search/known-runs.ts'
import { FAULTS, runApp, type Step } from './apps.ts'
import { hunt, step } from './hunt-app.ts'

type Options = Parameters<typeof hunt>[1]

/** The cells by call and class. */
function tableOf(
  run: (faults: readonly PlannedFault[]) => AppRun,
  calls: readonly string[],
  options: Options,
  kept?: KeptCells,
) {
  const known = new Map(calls.map((call) => [call, { label: call, when: {} } as KnownCall]))
  const { rows } = buildTable(hunt(run, options), known, run([]), FAULTS, { kept })
  return (call: string, fault: (typeof FAULTS)[number]): TableCell =>
    rows.find(({ label }) => label === call)!.cells[FAULTS.indexOf(fault)]!
}

const run =
  (...app: Step[]) =>
  (faults: readonly PlannedFault[]): AppRun =>
    runApp(app, faults)

const FALLBACK = step('plan', { fallback: [step('answer')] })

test('a cell says what became of a call under a class of faults', () => {
  const app = run(step('plan'), step('answer', { isOptional: true }))
  const cell = tableOf(app, ['plan', 'answer'], { depth: 1 })
  expect(cell('plan', 'invalid-request').outcome).toBe('failed')
  expect(cell('plan', 'other-text')).toEqual({ outcome: 'survived', runs: 1, pruned: { knownRun: 1 }, findings: [] })
  expect(cell('answer', 'server-error').outcome).toBe('survived')
})

test('a call that only faults lead to has findings of several faults', () => {
  const cell = tableOf(run(FALLBACK), ['plan', 'answer'], { depth: 2 })
  expect(cell('answer', 'invalid-request')).toMatchObject({ outcome: 'failed in a pair', runs: 2 })
  expect(cell('answer', 'invalid-request').findings).toHaveLength(2)
  expect(cell('answer', 'other-text').outcome).toBe('survived')
})

test('a fault that was not tried within the runs is not a success', () => {
  const cell = tableOf(run(FALLBACK), ['plan', 'answer'], { depth: 1 })
  expect(cell('answer', 'invalid-request').outcome).toBe('not tried')
  const stopped = tableOf(run(step('plan', { isOptional: true })), ['plan'], { depth: 1, maxRuns: 1 })
  expect(stopped('plan', 'other-text').outcome).toBe('not tried')
})

test('a fault that cannot apply to a call was pruned', () => {
  const refusing = (faults: readonly PlannedFault[]): AppRun => {
    const isRefused = faults[0]?.fault === 'other-text'
    const call = { id: 'plan', attempt: 1 }
    if (faults.length === 0) return { isPassed: true, calls: [call] }
    return { isPassed: true, calls: [{ ...call, [isRefused ? 'refused' : 'fault']: faults[0]!.fault }] }
  }
  const cell = tableOf(refusing, ['plan'], { depth: 1 })
  expect(cell('plan', 'other-text')).toEqual({ outcome: 'pruned', runs: 0, pruned: { refused: 2 }, findings: [] })
})

test('a failure that does not repeat is flaky in the table', () => {
  let tries = 0
  const unlucky = (faults: readonly PlannedFault[]): AppRun => {
    const fails = faults[0]?.fault === 'other-text' && ++tries === 1
    return { ...runApp([step('plan', { isOptional: true })], faults), isPassed: !fails }
  }
  expect(tableOf(unlucky, ['plan'], { depth: 1 })('plan', 'other-text').outcome).toBe('flaky')
})

test('a call that no set below the depth leads to is beyond it', () => {
  const known = new Map(['plan', 'answer'].map((call) => [call, { label: call, when: {} } as KnownCall]))
  const beyond = (depth: number) => {
    const { rows } = buildTable(hunt(run(FALLBACK), { depth }), known, run(FALLBACK)([]), FAULTS, { depth })
    return rows.map(({ isBeyondDepth = false }) => isBeyondDepth)
  }
  expect(beyond(1)).toEqual([false, true])
  expect(beyond(2)).toEqual([false, false])
})

test('a call whose results are kept is not hunted again, but for one fault that may lead to new calls', () => {
  const app = run(step('plan'), step('answer', { isOptional: true }))
  const earlier: TableCell = { outcome: 'survived', runs: 9, pruned: {}, findings: [] }
  const options = { depth: 2, kept: new Set(['answer']) }
  const cell = tableOf(app, ['plan', 'answer'], options, new Map([['answer', FAULTS.map(() => earlier)]]))
  expect(cell('answer', 'invalid-request').outcome).toBe('kept')
  expect(cell('plan', 'invalid-request').outcome).toBe('failed')
  const { tried } = hunt(app, options)
  const kept = tried.filter(({ faults }) => faults.every(({ call }) => call === 'answer'))
  expect(kept.map(({ faults }) => faults)).toEqual([[{ call: 'answer', attempt: 'every', fault: 'server-error' }]])
})

test('a call that fails although its results are kept has failed', () => {
  const earlier: TableCell = { outcome: 'survived', runs: 9, pruned: {}, findings: [] }
  const kept = new Map([['plan', FAULTS.map(() => earlier)]])
  const cell = tableOf(run(step('plan')), ['plan'], { depth: 1, kept }, kept)
  expect(cell('plan', 'server-error').outcome).toBe('failed')
  expect(cell('plan', 'invalid-request').outcome).toBe('kept')
})

test('a fallback that is new is found though the call before it is kept', () => {
  const options = { depth: 2, kept: new Set(['plan']) }
  const cell = tableOf(run(FALLBACK), ['plan', 'answer'], options)
  expect(cell('answer', 'invalid-request').outcome).toBe('failed in a pair')
})

test('a changed answer after which nothing differs is unnoticed in the table', () => {
  const careless = (faults: readonly PlannedFault[]): AppRun => ({
    ...runApp(
      [step('plan')],
      faults.filter(({ fault }) => fault !== 'empty-text'),
    ),
    calls: [{ id: 'plan', attempt: 1, ...(faults[0] !== undefined && { fault: faults[0].fault }) }],
    shown: ['done'],
  })
  const known = new Map([
    ['plan', { label: 'plan', asked: 'plan', when: { request: {} }, content: 'text' } as unknown as KnownCall],
  ])
  const classes = ['bad-request', 'wrong-answer']
  const steps = { depth: 1, variantsFor: ({ fault }: PlannedFault) => (fault === 'other-text' ? ['empty-text'] : []) }
  const { rows } = buildTable(hunt(careless, steps), known, careless([]), classes)
  expect(rows[0]!.cells[1]).toMatchObject({ outcome: 'unnoticed', answers: { unnoticed: ['empty-text'] } })
})

test('findings on the same attempts are one group, except those of faults that are no classes', () => {
  const CLASSES = ['bad-request', 'hang']
  const findingOf = (plan: string, answer: string) => ({
    faults: [
      { call: 'answer', attempt: 1, fault: answer },
      { call: 'plan', attempt: 'every' as const, fault: plan },
    ],
    failures: 2,
    tries: 2,
  })
  const findings = CLASSES.flatMap((plan) => CLASSES.map((answer) => findingOf(plan, answer)))
  const [cut, flaky] = [findingOf('hang', 'cut; after=3'), { ...findingOf('hang', 'hang'), tries: 5 }]
  expect(groupFindings([...findings, cut, flaky]).map(({ attempts, findings }) => [attempts, findings])).toEqual([
    [
      [
        { call: 'answer', attempt: 1, faults: CLASSES },
        { call: 'plan', attempt: 'every', faults: CLASSES },
      ],
      findings,
    ],
    [expect.anything(), [cut]],
    [expect.anything(), [flaky]],
  ])
})
