/**
 * `--since`: the results of an earlier hunt that still hold, read from its JSON report. If call 1 survived everything and
 * call 2 failed, the cells of call 1 are kept, and only call 2 is hunted again.
 */
import { existsSync, readFileSync } from 'node:fs'
import manifest from '../../../package.json' with { type: 'json' }
import { shellWord } from '../../terminal/text.ts'
import type { CellOutcome, KeptCells, TableRow } from '../search/hunt-table.ts'
import type { HuntSettings } from './hunt-options.ts'
import type { HuntBasis, HuntResult } from './hunt-result.ts'
import { settingTexts } from './saved-settings.ts'

/** Outcomes of calls that are not hunted again. */
const CLEAN: readonly CellOutcome[] = ['survived', 'kept', 'pruned']

/**
 * Reads the results of an earlier hunt. A call is kept if it survived everything: any other is hunted again.
 * @param basis the basis of this hunt: with another one, nothing is kept
 * @returns the cells of calls that are kept, or a warning that says why there are none
 * @throws when the file is not a report
 */
export function readEarlierHunt(file: string, basis: HuntBasis): { kept?: KeptCells; warning?: string } {
  const nothing = (why: string) => ({ warning: `Warning: nothing of '${file}' is kept: ${why}.` })
  if (!existsSync(file)) return nothing('there is no such file')
  const { basis: earlier, stoppedBy, table } = readReport(file)
  const changed = Object.keys({ ...earlier, ...basis }).find((name) => earlier[name] !== basis[name])
  if (changed !== undefined)
    return nothing(`${changed} was ${earlier[changed] ?? 'not given'}, and is ${basis[changed] ?? 'not given'}`)
  if (stoppedBy !== undefined) return nothing('its hunt was cut short, so pairs of faults are left')
  const clean = table.rows.filter(({ cells }) => cells.every(({ outcome }) => CLEAN.includes(outcome)))
  // Runs, pruned sets and findings belong to the earlier hunt: this one counts its own.
  const resetOf = (row: TableRow) => row.cells.map((cell) => ({ ...cell, runs: 0, pruned: {}, findings: [] }))
  return { kept: new Map(clean.map((row) => [row.id, resetOf(row)])) }
}

/** @throws when the file is not a report with a table */
function readReport(file: string): HuntResult {
  try {
    const report: HuntResult = JSON.parse(readFileSync(file, 'utf8'))
    const { classes, rows } = report.table
    if (report.basis && classes && rows.flatMap(({ cells }) => cells).every(({ outcome }) => outcome)) return report
  } catch {
    // It cannot be read, is no JSON, or has no table of cells.
  }
  const remedy = `Write one with --report json --report-file ${shellWord(file)}, and without --since.`
  throw new Error(`--since: expected a JSON report of this version of api-mock hunt, got '${file}'. ${remedy}`)
}

/** The settings on which the results of a hunt depend: `{ version: '0.1.0', command: 'node agent.js', '--depth': '2', ... }`. */
export function basisOf(command: readonly string[], settings: HuntSettings): HuntBasis {
  const { faults, depth, exhaustive, 'skip-outages': skipOutages, only } = settings
  const texts = Object.entries(settingTexts(settings)).filter(([, values]) => values.length > 0)
  return {
    version: manifest.version,
    command: command.join(' '),
    '--faults': faults.join(','),
    '--depth': String(depth),
    '--exhaustive': String(exhaustive),
    '--skip-outages': String(skipOutages),
    ...(only !== undefined && { '--only': only }),
    ...Object.fromEntries(texts.map(([name, values]) => [`--${name}`, values.join(' ')])),
  }
}
