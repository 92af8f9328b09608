/** `--since`: which results of an earlier hunt are kept. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { basisOf, readEarlierHunt } from '../../../src/hunt/command/earlier-hunt.ts'
import { type HuntSettings, huntOptions } from '../../../src/hunt/command/hunt-options.ts'
import type { CellOutcome } from '../../../src/hunt/search/hunt-table.ts'

const folder = mkdtempSync(join(tmpdir(), 'api-mock-earlier-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'hunt report.json')
const DEFAULTS = Object.fromEntries(
  Object.entries(huntOptions).map(([name, option]) => [name, option.read([option.default ?? []].flat(), name)]),
) as unknown as HuntSettings
const BASIS = basisOf(['npm', 'test'], DEFAULTS)

/** Reads a report with a call for each outcome under `hang`, and more fields. */
function read(outcomes: readonly CellOutcome[], more: object = {}, basis = BASIS) {
  const rows = outcomes.map((outcome) => ({
    id: outcome,
    cells: [{ outcome: 'survived' }, { outcome, answers: { noticed: ['refusal'], unnoticed: [], unclear: [] } }],
  }))
  writeFileSync(file, JSON.stringify({ basis: BASIS, table: { classes: ['cut', 'hang'], rows }, ...more }))
  return readEarlierHunt(file, basis)
}

test('a call that survived everything is kept, with what became of its changed answers', () => {
  const { kept, warning } = read(['survived', 'kept', 'pruned'])
  expect(warning).toBeUndefined()
  expect(kept!.get('survived')![1]).toEqual({
    outcome: 'survived',
    runs: 0,
    pruned: {},
    findings: [],
    answers: { noticed: ['refusal'], unnoticed: [], unclear: [] },
  })
  expect(kept!.get('kept')![1]!.outcome).toBe('kept')
  expect(kept!.get('pruned')![1]!.outcome).toBe('pruned')
})

test('a call that failed, was not noticed or was not tried under one class is hunted again', () => {
  const outcomes = ['failed', 'failed in a pair', 'flaky', 'unnoticed', 'not tried'] as const
  const { kept } = read(outcomes)
  expect(kept).toEqual(new Map())
})

test('nothing is kept of a hunt with another command, version or option', () => {
  const warningWith = (basis: Readonly<Record<string, string>>) => read(['survived'], {}, basis).warning
  const prefix = `Warning: nothing of '${file}' is kept: `
  expect(warningWith(basisOf(['npm', 'start'], DEFAULTS))).toBe(`${prefix}command was npm test, and is npm start.`)
  expect(warningWith({ ...BASIS, version: '99.0.0' })).toMatch(/: version was .*, and is 99\.0\.0\.$/)
  const deeper = basisOf(['npm', 'test'], { ...DEFAULTS, depth: 3, seed: '7' })
  expect(warningWith(deeper)).toBe(`${prefix}--depth was 2, and is 3.`)
  const seeded = basisOf(['npm', 'test'], { ...DEFAULTS, seed: '7' })
  expect(warningWith(seeded)).toBe(`${prefix}--seed was not given, and is 7.`)
  const narrower = basisOf(['npm', 'test'], { ...DEFAULTS, faults: ['hang'] })
  expect(warningWith(narrower)).toMatch(/: --faults was server-error,.*, and is hang\.$/)
})

test('nothing is kept of a hunt that was cut short, or of a file that does not exist', () => {
  expect(read(['survived'], { stoppedBy: 'time' })).toEqual({
    warning: `Warning: nothing of '${file}' is kept: its hunt was cut short, so pairs of faults are left.`,
  })
  expect(readEarlierHunt('missing.json', BASIS)).toEqual({
    warning: "Warning: nothing of 'missing.json' is kept: there is no such file.",
  })
})

test.each([
  '',
  '{',
  'null',
  '[]',
  '{"basis":{},"table":null}',
  '{"basis":{},"table":{"classes":[],"rows":[{"id":"a","cells":[null]}]}}',
])('a file that is no report is refused: %s', (text) => {
  writeFileSync(file, text)
  expect(() => readEarlierHunt(file, BASIS)).toThrow(
    `--since: expected a JSON report of this version of api-mock hunt, got '${file}'. Write one with --report json --report-file '${file}', and without --since.`,
  )
})
