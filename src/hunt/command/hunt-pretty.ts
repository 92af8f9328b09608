/** The report of a hunt for people: what fails, what became of each call, and what was not tried. */

import { countOf } from '../../core/lib/text/count-of.ts'
import type { Paint } from '../../terminal/colors.ts'
import { shellWord } from '../../terminal/text.ts'
import type { FoundFailure, HuntResult } from '../hunt-result.ts'
import type { Pruned } from '../search/search.ts'
import type { CellOutcome, HuntTable } from '../search/table.ts'

/** What all lines that repeat a failure share. */
type Repeat = Pick<HuntResult, 'command' | 'runOptions'>

const MAX_WIDTH = 100
const MAX_FILES = 3

export function prettyHunt(result: HuntResult, paint: Paint): string {
  const failures = result.failures.map((failure) => `${formatFailure(failure, result, paint)}\n`)
  const warnings = result.warnings.map((warning) => paint('yellow', warning))
  const table = result.runs === 0 ? [] : [formatTable(result.table, paint), '']
  return [...failures, ...table, ...warnings, summaryOf(result)].join('\n')
}

/** `FAILS with 1 fault: It ended with exit code 1.`, the faults, the output, and how to repeat it. */
export function formatFailure(
  failure: Omit<FoundFailure, 'file' | 'findings'> & { readonly file?: string | undefined },
  repeat: Repeat,
  paint: Paint,
): string {
  const { size, error, faults, output, tokens, file, otherFiles = [] } = failure
  const shown = output.map((line) => paint('dim', `  | ${line}`))
  return [
    paint('red', `FAILS with ${size}: ${error}`),
    ...faults.map((fault) => `  ${fault}`),
    ...shown,
    ...repeatLines({ file, tokens }, repeat).map((line) => `  ${line}`),
    ...(otherFiles.length > 0 ? [`  Saved too: ${listFiles(otherFiles)}`] : []),
  ].join('\n')
}

/** How to repeat a failure. */
export function repeatLines(
  { file, tokens }: { readonly file?: string | undefined; readonly tokens: readonly string[] },
  { command, runOptions }: Repeat,
): string[] {
  const words = command.map(shellWord).join(' ')
  const run = ['run', ...runOptions].join(' ')
  return [
    ...(file === undefined ? [] : [`Reproduce: npx api-mock ${run} --scenario ${shellWord(file)} -- ${words}`]),
    ...tokens.slice(0, 1).map((token) => `Replay:    npx api-mock hunt --replay ${token} -- ${words}`),
  ]
}

/** `.api-mock/hunt/cut-1a2b.yaml, .api-mock/hunt/hang-3c4d.yaml and 3 more` */
export function listFiles(files: readonly string[]): string {
  const more = files.length - MAX_FILES
  return `${files.slice(0, MAX_FILES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const MARKS: Readonly<Record<CellOutcome, readonly [text: string, style: Parameters<Paint>[0]]>> = {
  survived: ['survived', 'green'],
  failed: ['FAILED', 'red'],
  flaky: ['flaky', 'yellow'],
  pruned: ['pruned', 'dim'],
  'not tried': ['not tried', 'dim'],
}
const CELL_WIDTH = 10

/** A row for each class and a column for each call, in as many blocks as the width needs. */
function formatTable({ classes, rows }: HuntTable, paint: Paint): string {
  const nameWidth = Math.max(...classes.map(({ length }) => length)) + 2
  const perBlock = Math.floor((MAX_WIDTH - nameWidth) / CELL_WIDTH)
  const lines = rows.map(({ call, label }) => `call ${call}: ${label}`)
  for (let first = 0; first < rows.length; first += perBlock) {
    const block = rows.slice(first, first + perBlock)
    const head = block.map(({ call }) => `call ${call}`.padEnd(CELL_WIDTH)).join('')
    lines.push('', `${''.padEnd(nameWidth)}${head.trimEnd()}`)
    for (const [index, name] of classes.entries()) {
      const cells = block.map(({ cells }, column) => {
        const [text, style] = MARKS[cells[index]!.outcome]
        return paint(style, column === block.length - 1 ? text : text.padEnd(CELL_WIDTH))
      })
      lines.push(`${name.padEnd(nameWidth)}${cells.join('')}`)
    }
  }
  return lines.join('\n')
}

const RULES: Readonly<Record<keyof Pruned, string>> = {
  knownRun: 'that would repeat a run',
  failingSubset: 'with a smaller set that fails',
  recoveredByRetry: 'with faults of several calls, one recovered by a retry (see --exhaustive)',
  refused: 'with a fault that cannot happen to its call',
}

const REMEDIES: typeof STOPS = {
  signal: '',
  time: ' Raise --time, or lower --depth.',
  runs: ' Raise --runs, or lower --depth.',
}

const STOPS: Readonly<Record<NonNullable<HuntResult['stoppedBy']>, string>> = {
  signal: 'Stopped by a signal',
  time: 'The time is up',
  runs: 'The runs are used up',
}

const countLeft = (left: number): string =>
  left === 0 ? 'sets of faults may be' : `at least ${countOf(left, 'set')} of faults ${left === 1 ? 'is' : 'are'}`

/** `Tried 34 sets of faults on 3 calls in 12.1 s: 2 causes, 7 failing sets.`, and what was not tried. */
export function summaryOf({ runs, calls, seconds, failures, pruned, stoppedBy, left }: HuntResult): string {
  const sets = failures.reduce((sum, { tokens }) => sum + tokens.length, 0)
  const known = runs === 0 ? 'nothing was tried' : 'nothing failed in what was tried'
  const nothing = stoppedBy === undefined ? 'nothing fails' : known
  const found = sets === 0 ? nothing : `${countOf(failures.length, 'cause')}, ${countOf(sets, 'failing set')}`
  const skipped = Object.entries(pruned)
    .filter(([, count]) => count > 0)
    .map(([rule, count]) => `Not tried: ${countOf(count, 'set')} ${RULES[rule as keyof Pruned]}`)
  return [
    `Tried ${countOf(runs, 'set')} of faults on ${countOf(calls.length, 'call')} in ${seconds} s: ${found}.`,
    ...skipped,
    ...(stoppedBy === undefined ? [] : [`${STOPS[stoppedBy]}: ${countLeft(left)} left.${REMEDIES[stoppedBy]}`]),
  ].join('\n')
}
