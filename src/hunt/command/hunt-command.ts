/**
 * `api-mock hunt`: finds the smallest sets of faults under which a command fails. `api-mock hunt -- node agent.js` runs
 * `node agent.js` without faults, then under each set, saves a scenario file for each cause, and prints a report.
 */

import { countOf } from '../../core/lib/text/wording.ts'
import type { HuntReportForm } from '../../core/report/report-forms.ts'
import { pairReports, type ReportTarget, writeReports } from '../../terminal/report-targets.ts'
import { createColors, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { type Cause, groupCauses } from '../causes.ts'
import { describeCause, describeFault } from '../describe-cause.ts'
import { drive, type Hunted, type PlayedFinding } from '../drive.ts'
import { writeToken } from '../fault-token.ts'
import type { SearchProgress } from '../search/experiments.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { HuntTable } from '../search/hunt-table.ts'
import type { KnownCalls } from '../search/known-calls.ts'
import { watchCatchBlocks } from './catch-blocks.ts'
import { basisOf, readEarlierHunt } from './earlier-hunt.ts'
import type { HuntSettings } from './hunt-options.ts'
import type { FoundFailure, HuntResult } from './hunt-report.ts'
import { HuntSession } from './hunt-session.ts'
import { checkHuntFolder, saveReproduction } from './reproduction-files.ts'
import { settingTexts } from './saved-settings.ts'
import { writeHuntReport } from './write-hunt-report.ts'

/** Returns the exit code: 1 when the command fails under faults, or a report says so or is missing; 2 when nothing was tried. */
export async function huntCommand(command: readonly string[], settings: HuntSettings): Promise<number> {
  if (settings.replay !== undefined || settings['replay-all'] || settings.bisect)
    return (await import('./replay-command.ts')).replayCommand(command, settings)
  const { faults, depth, runs, jobs, exhaustive, only, bytes, since } = settings
  if (bytes && only !== 'cuts') throw new UsageError('--bytes: expected --only cuts with it.')
  if (since !== undefined && only === 'cuts') throw new UsageError('--since: expected no --only cuts with it.')
  const basis = basisOf(command, settings)
  const earlier = since === undefined ? {} : readEarlierHunt(since, basis)
  const readCatchBlocks = watchCatchBlocks()
  const targets = pairReports(settings.report, settings['report-file'])
  checkHuntFolder()
  return HuntSession.use(command, settings, async (session) => {
    const startedAt = performance.now()
    const result = await drive(session, {
      hunted: COMMAND,
      faults,
      depth,
      maxRuns: runs,
      jobs,
      isExhaustive: exhaustive,
      skipOutages: settings['skip-outages'],
      keptCell: earlier.keptCell,
      // Each run takes long here, so only --exhaustive tries every place.
      cuts: only === 'cuts' ? { bytes, strategy: exhaustive ? 'all' : 'bisect' } : undefined,
      onProgress: (progress, now) => {
        const search = { depth: only === 'cuts' ? 1 : depth, startedAt }
        session.progress.show(formatProgress(progress, now, session.known, search))
      },
    })
    session.progress.clear()
    const { findings, report, isCutShort, left } = result
    const notKept = earlier.warning === undefined ? [] : [earlier.warning]
    const { percent } = report.coverage
    const { 'min-coverage': least = 0 } = settings
    const shortfall = `The fault coverage of ${percent} % is below --min-coverage ${least}.`
    const hunt: HuntResult = {
      command,
      runOptions: session.runOptions,
      scenario: settings.scenario,
      failures: groupCauses(findings).map((cause) => saveCause(cause, session, findings)),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      ...report,
      ...(isCutShort && { stoppedBy: stoppedBy(session) }),
      left,
      basis,
      warnings: [...session.warnings, ...notKept, ...describeUnnoticed(report.table)],
      ...(percent < least && { shortfall }),
      catchBlocks: readCatchBlocks?.(),
    }
    const isWritten = await reportTo(targets, hunt, session)
    if (hunt.failures.length > 0 || hunt.shortfall !== undefined || !isWritten) return 1
    const hasTriedNothing = hunt.stoppedBy !== undefined && hunt.runs === 0
    return hasTriedNothing ? 2 : 0
  })
}

/** The reason why a hunt was cut short: Ctrl-C, the end of its time, or its number of runs. */
function stoppedBy({ interruption: { signal, exitCode } }: HuntSession): NonNullable<HuntResult['stoppedBy']> {
  if (!signal.aborted) return 'runs'
  return exitCode === undefined ? 'time' : 'signal'
}

const COMMAND: Hunted = {
  name: 'the command',
  callsHint: 'Does it read OPENAI_BASE_URL and OPENAI_API_KEY?',
  option: (name, values) => values.map((value) => `--${name} '${value}'`).join(' '),
}

/** Prints the reports without a file, and writes the others. Without one for people, that goes to stderr. */
async function reportTo(
  targets: readonly ReportTarget<HuntReportForm>[],
  report: HuntResult,
  session: HuntSession,
): Promise<boolean> {
  const printed = targets.filter(({ file }) => file === undefined).map(({ form }) => form)
  for (const form of printed) {
    const text = writeHuntReport[form](report, createColors(process.stdout))
    if (text !== '') session.say(text)
  }
  const isForPeople = printed.some((form) => form === 'pretty' || form === 'none')
  if (!isForPeople) printError(writeHuntReport.pretty(report, createColors(process.stderr)))
  return writeReports(targets, (form) => writeHuntReport[form](report, (_, text) => text))
}

/** Describes a cause, and saves a scenario file for it. @param all the findings of the hunt, which the table counts */
function saveCause(cause: Cause, session: HuntSession, all: readonly PlayedFinding[]): FoundFailure {
  const { settings, known } = session
  const findings = cause.groups.flatMap((group) => group.findings)
  // One file for each cause. Findings that repeat it on other calls need none.
  const [first, ...others] = cause.groups[0].findings.map(({ faults }) => faults)
  const failure: FoundFailure = {
    ...describeCause(cause, known, '--skip-outages'),
    tokens: findings.map(({ faults }) => writeToken(faults, known, settingTexts(settings))),
    findings: findings.map((finding) => all.indexOf(finding)),
    drawnCalls: session.failedRuns.get(first!) ?? [],
  }
  return saveReproduction(session, session.source, [first!, ...others], failure)
}

/** A warning for each call whose changed answers went unnoticed. */
const describeUnnoticed = ({ rows }: HuntTable): string[] =>
  rows.flatMap(({ call, label, cells }) => {
    const faults = cells.flatMap(({ answers }) => answers?.unnoticed ?? [])
    if (faults.length === 0) return []
    const what = `call ${call} (${label}) got a wrong answer, and nothing showed it: ${faults.join(', ')}`
    return `Warning: ${what}. The command passed, and asked and printed the same. Let a test check the answer.`
  })

/** The width of the progress bar, in characters. */
const BAR_WIDTH = 20

/**
 * `[=====     ] 34 sets tried, 1 finding; 40 single faults left, about 12 s, then sets of 2. Now: call 2 (POST chat "Hello"...): hang`
 */
function formatProgress(
  { tried, found, left }: SearchProgress,
  now: readonly FaultSet[],
  known: KnownCalls,
  { depth, startedAt }: { readonly depth: number; readonly startedAt: number },
): string {
  const [firstSet = []] = now
  const { length: size } = firstSet
  if (size === 0) return 'Running the command without faults, twice.'
  const filled = '='.repeat(Math.round((BAR_WIDTH * tried) / Math.max(1, tried + left)))
  const bar = process.stderr.isTTY ? `[${filled.padEnd(BAR_WIDTH)}] ` : ''
  const [one, several] = size === 1 ? ['single fault', 'single faults'] : [`set of ${size}`, `sets of ${size}`]
  const secondsPerSet = (performance.now() - startedAt) / 1000 / tried
  const time = tried === 0 ? '' : `, about ${Math.ceil(secondsPerSet * left)} s`
  // How many larger sets there are is known only when these have been tried.
  const next = size < depth ? `, then sets of ${size + 1}` : ''
  const setsLeft = `${left} ${left === 1 ? one : several} left${time}${next}`
  const faults = firstSet.map((fault) => describeFault(fault, known)).join(' and ')
  const more = now.length > 1 ? `, and ${now.length - 1} more` : ''
  return `${bar}${countOf(tried, 'set')} tried, ${countOf(found, 'finding')}; ${setsLeft}. Now: ${faults}${more}`
}
