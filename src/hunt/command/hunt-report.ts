/**
 * The report of a hunt for people:
 *
 *     FAILS with 1 fault: It ended with exit code 1.
 *       call 2 (POST chat "booked as number 1", attempt 1): hang or cut
 *       Replay:    npx api-mock hunt --replay 1q307jmytm5:1:hang -- node agent.js
 *
 *     call 1: POST chat "Please book a table for two."
 *     call 2: POST chat "booked as number 1"
 *
 *                   call 1     call 2
 *     server-error  survived   survived
 *     hang          survived   FAILED
 *
 *     Tried 34 sets of faults on 2 calls in 12.1 s: 1 cause, 2 failing sets.
 *
 * `write-hunt-report.ts` writes it in its other forms.
 */

import { countOf } from '../../core/lib/text/wording.ts'
import { errorLine } from '../../play/index.ts'
import { type Paint, shellWord } from '../../terminal/text.ts'
import { blockOf } from '../describe-cause.ts'
import type { Pruned } from '../search/experiments.ts'
import { describeShares } from '../search/fault-coverage.ts'
import type { CellOutcome, HuntTable } from '../search/hunt-table.ts'
import type { CatchBlocks } from './catch-blocks.ts'
import type { FoundFailure, HuntResult } from './hunt-result.ts'

/** The parts of a failure that reports show. */
type ShownFailure = Omit<FoundFailure, 'findings'>
/** The parts of a result that a command line to repeat a failure needs. */
type Repeat = Pick<HuntResult, 'command' | 'runOptions'>

/** The whole report: the failures, a table of calls and faults, and what was not tried. */
export function prettyOf(result: HuntResult, paint: Paint): string {
  const failures = result.failures.map((failure) => `${formatFailure(failure, result, paint)}\n`)
  const warnings = result.warnings.map((warning) => paint('yellow', warning))
  const table = result.runs === 0 ? [] : [formatTable(result.table, paint), '']
  const shortfall = result.shortfall === undefined ? [] : [paint('red', result.shortfall)]
  return [...failures, ...table, ...warnings, summaryOf(result), ...shortfall].join('\n')
}

/** `FAILS with 1 fault: It ended with exit code 1.`, the faults, the output, and how to repeat it. */
export const formatFailure = (failure: ShownFailure, repeat: Repeat, paint: Paint): string =>
  blockOf(failure, errorLine(failure.output), repeatLines(failure, repeat), paint)

/** A command as one line for a shell. */
export const wordsOf = (command: readonly string[]): string => command.map(shellWord).join(' ')

/** The command lines that repeat a failure. */
export function repeatLines({ file, tokens: [token] }: ShownFailure, { command, runOptions }: Repeat): string[] {
  const words = wordsOf(command)
  const run = ['run', ...(runOptions ?? [])].join(' ')
  const reproduce = `Reproduce: npx api-mock ${run} --scenario ${shellWord(file ?? '')} -- ${words}`
  return [
    ...(file === undefined || runOptions === undefined ? [] : [reproduce]),
    ...(token === undefined ? [] : [`Replay:    npx api-mock hunt --replay ${token} -- ${words}`]),
  ]
}

/** The texts and styles of the cells of the table. */
const MARKS: Readonly<Record<CellOutcome, readonly [text: string, style: Parameters<Paint>[0]]>> = {
  survived: ['survived', 'green'],
  failed: ['FAILED', 'red'],
  'failed in a pair': ['in a pair', 'red'],
  flaky: ['flaky', 'yellow'],
  unnoticed: ['unnoticed', 'yellow'],
  kept: ['kept', 'dim'],
  pruned: ['pruned', 'dim'],
  'not tried': ['not tried', 'dim'],
}
/** The width of a column, and of the whole table, in characters. */
const CELL_WIDTH = 11
const MAX_WIDTH = 100

/** A row for each class and a column for each call, in as many blocks as the width needs. */
function formatTable({ classes, rows }: HuntTable, paint: Paint): string {
  const nameWidth = Math.max(...classes.map(({ length }) => length)) + 2
  const callsPerBlock = Math.floor((MAX_WIDTH - nameWidth) / CELL_WIDTH)
  const lines = rows.map(({ call, label }) => `call ${call}: ${label}`)
  for (let first = 0; first < rows.length; first += callsPerBlock) {
    const block = rows.slice(first, first + callsPerBlock)
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

/** The reasons for which sets were not tried, in words. */
const PRUNED: Readonly<Record<keyof Pruned, string>> = {
  knownRun: 'that would repeat a run',
  failingSubset: 'with a smaller set that fails',
  recoveredByRetry: 'with faults of several calls, one recovered by a retry (see --exhaustive)',
  refused: 'with a fault that cannot happen to its call',
  kept: 'on calls that the report of --since found safe',
}

/** `Tried 34 sets of faults on 3 calls in 12.1 s: 2 causes, 7 failing sets.`, and what was not tried. */
export function summaryOf(result: HuntResult): string {
  const { runs, calls, seconds, pruned, stoppedBy, left, coverage, catchBlocks } = result
  const tried = `Tried ${countOf(runs, 'set')} of faults on ${countOf(calls.length, 'call')}`
  const lines = [`${tried} in ${seconds} s: ${verdictOf(result)}.`]
  for (const [reason, count] of Object.entries(pruned))
    if (count > 0) lines.push(`Not tried: ${countOf(count, 'set')} ${PRUNED[reason as keyof Pruned]}`)
  if (stoppedBy !== undefined) {
    const [text, remedy] = STOPS[stoppedBy]
    const counted = `at least ${countOf(left, 'set')} of faults ${left === 1 ? 'is' : 'are'} left`
    // A search that was stopped early has not counted them.
    lines.push(`${text}: ${left === 0 ? 'sets of faults may be left' : counted}.${remedy}`)
  }
  if (runs > 0) lines.push(`Fault coverage ${coverage.percent} %: ${describeShares(coverage)}`)
  if (catchBlocks !== undefined) lines.push(...describeCatches(catchBlocks))
  return lines.join('\n')
}

/** `2 causes, 7 failing sets`, or `nothing fails`. */
function verdictOf({ runs, failures, stoppedBy }: HuntResult): string {
  const sets = failures.reduce((sum, { tokens }) => sum + tokens.length, 0)
  if (sets > 0) return `${countOf(failures.length, 'cause')}, ${countOf(sets, 'failing set')}`
  if (stoppedBy === undefined) return 'nothing fails'
  return runs === 0 ? 'nothing was tried' : 'nothing failed in what was tried'
}

/** The reasons for which a hunt stopped, in words. */
const STOPS: Readonly<Record<NonNullable<HuntResult['stoppedBy']>, readonly [text: string, remedy: string]>> = {
  signal: ['Stopped by a signal', ''],
  time: ['The time is up', ' Raise --time, or lower --depth.'],
  runs: ['The runs are used up', ' Raise --runs, or lower --depth.'],
}

/** Most catch blocks, and files without known blocks, that are named. */
const MAX_CATCHES = 10
const MAX_FILES = 3

/** `No run reached 2 of 7 catch blocks: src/agent.js:12, src/agent.js:40`, and files whose blocks are not known. */
function describeCatches({ known, unreached, transformed }: CatchBlocks): string[] {
  const count = countOf(known, 'catch block')
  const lines = []
  if (known === 0) lines.push('No catch block is known from NODE_V8_COVERAGE.')
  else if (unreached.length === 0) lines.push(`Runs reached all of ${count}`)
  else lines.push(`No run reached ${unreached.length} of ${count}: ${listFirst(unreached, MAX_CATCHES)}`)
  if (transformed.length > 0)
    lines.push(
      `Catch blocks are not known of ${countOf(transformed.length, 'file')} whose code was transformed: ${listFirst(transformed, MAX_FILES)}`,
    )
  return lines
}

/** `src/agent.js:12, src/agent.js:40 and 3 more` */
function listFirst(names: readonly string[], most: number): string {
  const more = names.length - most
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
