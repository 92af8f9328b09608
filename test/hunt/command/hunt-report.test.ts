/** The report of a hunt in its forms. */
import { expect, test } from 'vitest'
import type { HuntResult } from '../../../src/hunt/command/hunt-result.ts'
import { writeHuntReport } from '../../../src/hunt/command/write-hunt-report.ts'
import type { TableCell } from '../../../src/hunt/search/hunt-table.ts'

const cell = (outcome: TableCell['outcome'], findings: number[] = []): TableCell => ({
  outcome,
  runs: 1,
  pruned: {},
  findings,
})

const RESULT: HuntResult = {
  command: ['npm', 'test', 'a & b'],
  runOptions: [],
  scenario: 'default',
  failures: [
    {
      size: '1 fault',
      faults: ['call 2 (POST chat "<b>", every attempt): cut; after=2'],
      error: 'It ended with exit code 1.',
      output: ['expected "a"', '100% wrong'],
      tokens: ['k3f9:every:cut:after=2', 'k3f9:every:hang'],
      findings: [0],
      file: '.api-mock/hunt/cut-1a2b3c4d.yaml',
    },
  ],
  calls: ['POST chat "a"', 'POST chat "<b>"'],
  runs: 12,
  seconds: 3.4,
  pruned: { knownRun: 3, failingSubset: 0, recoveredByRetry: 2, refused: 0, kept: 0 },
  stoppedBy: 'time',
  left: 4,
  table: {
    classes: ['cut', 'hang'],
    rows: [
      { call: 1, id: 'h1', label: 'POST chat "a"', cells: [cell('survived'), cell('pruned')] },
      { call: 2, id: 'h2', label: 'POST chat "<b>"', cells: [cell('failed', [0]), cell('not tried')] },
    ],
  },
  coverage: {
    percent: 66.6,
    cells: 4,
    callsBeyondDepth: 0,
    tried: 2,
    kept: 0,
    pruned: 1,
    notTried: 1,
    unnoticed: 0,
    changedAnswers: { noticed: 11, unnoticed: 3, unclear: 0 },
  },
  warnings: ['Warning: the command left processes running.'],
  basis: { version: '1.0.0', command: 'npm test a & b' },
}

const write = (form: keyof typeof writeHuntReport, more: Partial<HuntResult> = {}): string =>
  writeHuntReport[form]({ ...RESULT, ...more }, (_, text) => text)

test('the pretty report names what fails, how to repeat it, each call and what was not tried', () => {
  expect(write('pretty').split('\n')).toEqual([
    'FAILS with 1 fault: It ended with exit code 1.',
    '  call 2 (POST chat "<b>", every attempt): cut; after=2',
    '  | 100% wrong',
    "  Reproduce: npx api-mock run --scenario .api-mock/hunt/cut-1a2b3c4d.yaml -- npm test 'a & b'",
    "  Replay:    npx api-mock hunt --replay k3f9:every:cut:after=2 -- npm test 'a & b'",
    '',
    'call 1: POST chat "a"',
    'call 2: POST chat "<b>"',
    '',
    '      call 1     call 2',
    'cut   survived   FAILED',
    'hang  pruned     not tried',
    '',
    'Warning: the command left processes running.',
    'Tried 12 sets of faults on 2 calls in 3.4 s: 1 cause, 2 failing sets.',
    'Not tried: 3 sets that would repeat a run',
    'Not tried: 2 sets with faults of several calls, one recovered by a retry (see --exhaustive)',
    'The time is up: at least 4 sets of faults are left. Raise --time, or lower --depth.',
    'Fault coverage 66.6 %: 50 % tried, 25 % pruned, 25 % not tried; 11 of 14 changed answers noticed',
  ])
})

test('a hunt that was cut short says that nothing failed only in what was tried', () => {
  expect(write('pretty', { failures: [] })).toContain('in 3.4 s: nothing failed in what was tried.\n')
  const { stoppedBy: _, ...whole } = RESULT
  const all = writeHuntReport.pretty({ ...whole, failures: [], left: 0 }, (_style, text) => text)
  expect(all).toContain('in 3.4 s: nothing fails.\n')
})

test('a command with several lines is quoted on one line', () => {
  expect(write('pretty', { command: ['sh', '-c', "a\n\tit's \\ b"] })).toContain(
    String.raw`hang -- sh -c $'a\n\x09it\'s \\ b'`.replace('hang', 'k3f9:every:cut:after=2'),
  )
})

test('a table with many calls is split to fit the width', () => {
  const rows = Array.from({ length: 20 }, (_, index) => ({ ...RESULT.table.rows[0]!, call: index + 1 }))
  const lines = write('pretty', { failures: [], table: { classes: ['cut', 'hang'], rows } }).split('\n')
  expect(lines.filter((line) => line.startsWith('cut'))).toHaveLength(3)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
})

test('the JUnit report has a test case for each call and class', () => {
  const xml = write('junit')
  expect(xml).toContain('<testsuite name="api-mock hunt" tests="5" failures="1" errors="0" time="3.4">')
  expect(xml).toContain('<testcase classname="call 1 (POST chat &quot;a&quot;)" name="cut"></testcase>')
  expect(xml).toContain(
    'name="cut"><failure message="failed with cut">FAILS with 1 fault: It ended with exit code 1.\n',
  )
  expect(xml).toContain('Reproduce: npx api-mock run --scenario .api-mock/hunt/cut-1a2b3c4d.yaml -- npm test')
  expect(xml).toMatch(/Replay: {4}npx api-mock hunt --replay k3f9:every:cut:after=2 -- .*<\/failure><\/testcase>/)
  expect(xml).toContain('<skipped message="not tried"/>')
})

test('the GitHub report has an error for each failure', () => {
  const [error, warning, notice, ...others] = write('github').split('\n')
  expect(error).toMatch(/^::error title=api-mock hunt::FAILS with 1 fault: .*%0Acall 2 .*%0A100%25 wrong%0A/)
  expect(warning).toMatch(/^::warning /)
  expect(notice).toMatch(/^::notice title=api-mock hunt::Tried 12 sets/)
  expect(others).toEqual([])
})

test('the JSON report is the result', () => {
  expect(JSON.parse(write('json'))).toEqual(RESULT)
})

const UNNOTICED: HuntResult['table'] = {
  classes: ['wrong-answer'],
  rows: [
    {
      call: 1,
      id: 'h1',
      label: 'POST chat "a | b"',
      cells: [{ ...cell('unnoticed'), answers: { noticed: [], unnoticed: ['empty-text', 'refusal'], unclear: [] } }],
    },
  ],
}

test('a changed answer that nothing noticed is a passed test case that says so', () => {
  expect(write('junit', { table: UNNOTICED })).toContain(
    'name="wrong-answer"><system-out>unnoticed: empty-text, refusal</system-out></testcase>',
  )
  expect(write('pretty', { table: UNNOTICED })).toContain('wrong-answer  unnoticed\n')
})

test('a cell that is kept is a passed test case', () => {
  const table = { classes: ['hang'], rows: [{ ...UNNOTICED.rows[0]!, cells: [cell('kept')] }] }
  expect(write('junit', { table })).toContain('name="hang"></testcase>')
  expect(write('pretty', { table })).toContain('hang  kept\n')
})

test('a coverage that is too low is a failure in each report', () => {
  const shortfall = 'The fault coverage of 66.6 % is below --min-coverage 80.'
  expect(write('pretty', { shortfall }).split('\n').at(-1)).toBe(shortfall)
  expect(write('junit', { shortfall })).toContain(`name="fault coverage"><failure message="${shortfall}"/></testcase>`)
  expect(write('github', { shortfall })).toContain('::error title=api-mock coverage::The fault coverage of 66.6 %25 is')
  expect(write('markdown', { shortfall })).toContain(`\n❌ ${shortfall}\n`)
  expect(write('badge', { shortfall, failures: [] })).toContain('fill="#c0392b"')
})

test('the Markdown report is a comment with the coverage, the table and each cause', () => {
  expect(write('markdown').split('\n')).toEqual([
    '<!-- api-mock hunt -->',
    '### Fault coverage 66.6 %, 1 cause',
    '',
    '50 % tried, 25 % pruned, 25 % not tried; 11 of 14 changed answers noticed.',
    '',
    '| call | cut | hang |',
    '| --- | --- | --- |',
    '| 1 <code>POST chat &quot;a&quot;</code> | survived | pruned |',
    '| 2 <code>POST chat &quot;&lt;b&gt;&quot;</code> | ❌ failed | not tried |',
    '',
    '<details><summary>FAILS with 1 fault: It ended with exit code 1.</summary>',
    '<pre>  call 2 (POST chat &quot;&lt;b&gt;&quot;, every attempt): cut; after=2',
    '  &#124; 100% wrong',
    expect.stringMatching(/^ {2}Reproduce: npx api-mock run --scenario /),
    expect.stringMatching(/^ {2}Replay: .*<\/pre>$/),
    '</details>',
    '',
    'Warning: the command left processes running.',
    '',
    expect.stringMatching(/^<sub>Tried 12 sets .*<br>Fault coverage 66.6 %: .*<\/sub>$/),
  ])
})

test('a call with a bar, or with many lines, stays in its row of the Markdown table', () => {
  const [row] = UNNOTICED.rows
  const rows = Array.from({ length: 50 }, (_, index) => ({
    ...row!,
    call: index + 1,
    label: 'POST chat "a | b\\n```"',
  }))
  const lines = write('markdown', { table: { ...UNNOTICED, rows } }).split('\n')
  const shown = lines.filter((line) => line.endsWith('| ⚠️ unnoticed |'))
  expect(shown).toHaveLength(40)
  expect(shown[0]).toBe('| 1 <code>POST chat &quot;a &#124; b\\n```&quot;</code> | ⚠️ unnoticed |')
  expect(lines).toContain('And 10 more calls.')
})

test('the badge shows the coverage, and the causes in red', () => {
  expect(write('badge')).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" .*>fault coverage: 66.6 %, 1 cause</)
  expect(write('badge')).toContain('fill="#c0392b"')
  const calm = write('badge', { failures: [], coverage: { ...RESULT.coverage, percent: 100 } })
  expect(calm).toContain('>100 %</text>')
  expect(calm).toContain('fill="#2e7d32"')
})

test('the summary names catch blocks that no run reached', () => {
  const lastLine = (catchBlocks: HuntResult['catchBlocks'] & {}) => write('pretty', { catchBlocks }).split('\n').at(-1)
  expect(lastLine({ known: 2, unreached: ['src/a.js:12'], transformed: [] })).toBe(
    'No run reached 1 of 2 catch blocks: src/a.js:12',
  )
  expect(lastLine({ known: 2, unreached: [], transformed: [] })).toBe('Runs reached all of 2 catch blocks')
  expect(lastLine({ known: 0, unreached: [], transformed: [] })).toBe('No catch block is known from NODE_V8_COVERAGE.')
  expect(lastLine({ known: 0, unreached: [], transformed: ['a.ts'] })).toBe(
    'Catch blocks are not known of 1 file whose code was transformed: a.ts',
  )
})
