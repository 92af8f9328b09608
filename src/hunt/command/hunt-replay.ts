/** `api-mock hunt --replay` and `--replay-all`: whether what a hunt has found still fails. */
import { readFile } from 'node:fs/promises'
import { isPlannedRule } from '../../core/decide/call/rule-usage.ts'
import { countOf } from '../../core/lib/text/count-of.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { loadScenario } from '../../engine/scenario-files/load-scenario.ts'
import { createColors, type Paint } from '../../terminal/colors.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { messageOf } from '../hunt-error.ts'
import type { PlayedCommandRun } from '../processes/play-command.ts'
import { readToken, writeToken } from '../replay-token.ts'
import { HUNT_FOLDER, listReproductions } from '../reproduction-file.ts'
import { describeFault } from '../search/describe.ts'
import { identityOf } from '../search/identity.ts'
import { observe } from '../search/observe.ts'
import type { HuntSettings } from './hunt-options.ts'
import { formatFailure } from './hunt-pretty.ts'
import { HuntProgress } from './hunt-progress.ts'
import { describeBaselineFailure, HuntSession } from './hunt-session.ts'
import { readSettingsLine, runOptionsOf, withVerdictTexts } from './verdict-settings.ts'

type Verdict = 'FIXED' | 'STILL FAILS' | 'NOT REACHED' | 'UNREADABLE'

/** A flaky failure may pass once. */
const TRIES = 2

/** Returns the exit code: 1 when something still fails or is not reached, 2 when a file cannot be read or the replay was stopped. */
export async function replay(command: readonly string[], settings: HuntSettings): Promise<number> {
  if (settings.replay !== undefined && settings['replay-all'])
    throw new UsageError('Expected --replay or --replay-all, got both.')
  if (settings.report !== 'pretty' || settings['report-file'] !== undefined)
    throw new UsageError(
      '--report and --report-file: expected a hunt, got a replay. It prints a line for each failure.',
    )
  if (settings.replay !== undefined) return replayToken(command, settings, settings.replay)
  const files = listReproductions()
  if (files.length === 0)
    throw new UsageError(`--replay-all: expected scenarios in ${HUNT_FOLDER}, got none. Run api-mock hunt first.`)
  return inSession(command, settings, (session, progress) => replayFiles(session, files, settings, progress))
}

async function inSession(
  command: readonly string[],
  settings: HuntSettings,
  run: (session: HuntSession, progress: HuntProgress) => Promise<number>,
): Promise<number> {
  const session = await HuntSession.open(command, settings)
  const progress = new HuntProgress()
  try {
    progress.show('Running the command without faults.')
    const { isPassed, error, entries } = await session.play([])
    const { exitCode } = session.interruption
    if (exitCode !== undefined) return exitCode
    if (session.interruption.signal.aborted)
      throw new Error('--time ended the replay before the command had run without faults. Raise --time.')
    if (!isPassed)
      throw describeBaselineFailure(
        `Failed to replay: the command fails without faults. Make it pass first.\n  ${error!.message}`,
        error!,
      )
    observe(entries, [], session.known, identityOf(session.identity)())
    const result = await run(session, progress)
    return session.interruption.exitCode ?? result
  } finally {
    progress.clear()
    session.close()
  }
}

/**
 * Runs the command under the faults of a token. It names calls by their requests, so those that appear only under other
 * faults have to be seen first.
 */
function replayToken(command: readonly string[], settings: HuntSettings, token: string): Promise<number> {
  const { faults, settings: own } = readToken(token)
  const scenario = settings.scenario === 'default' ? (own.scenario?.[0] ?? 'default') : settings.scenario
  const merged: HuntSettings = {
    ...withVerdictTexts(settings, own),
    scenario,
    seed: settings.seed ?? own.seed?.[0],
    identity: own.identity?.[0] === 'coarse' ? 'coarse' : settings.identity,
    ignore: [...settings.ignore, ...(own.ignore ?? [])],
  }
  return inSession(command, merged, async (session, progress) => {
    const { known } = session
    const knownFaults = () => faults.filter(({ call }) => known.has(call))
    for (let seen = -1; knownFaults().length > seen; ) {
      const now = knownFaults()
      seen = now.length
      if (seen === 0) break
      progress.show(`Running the command with ${now.map((fault) => describeFault(fault, known)).join(' and ')}.`)
      const run = await playTwice(session, () => session.play(now))
      if (session.interruption.signal.aborted) return say('Stopped before the command had ended with these faults.', 2)
      observe(run.entries, now, known, identityOf(session.identity)())
      if (now.length < faults.length) continue
      progress.clear()
      if (run.isPassed) return say('FIXED: the command passes with these faults.', 0)
      const paint = createColors(process.stdout)
      const shown = {
        size: countOf(faults.length, 'fault'),
        error: run.error!.message,
        faults: faults.map((fault) => describeFault(fault, known)),
        output: run.error!.lines,
        tokens: [writeToken(faults, known, own)],
      }
      return say(
        formatFailure(shown, { command, runOptions: runOptionsOf(merged) }, paint).replace('FAILS', 'STILL FAILS'),
        1,
      )
    }
    progress.clear()
    const missing = faults.filter(({ call }) => !known.has(call)).map(({ call }) => call)
    return say(
      `NOT REACHED: the command made no call ${missing.join(' or ')}. Its requests have changed. Hunt again.`,
      1,
    )
  })
}

async function replayFiles(
  session: HuntSession,
  files: readonly string[],
  settings: HuntSettings,
  progress: HuntProgress,
): Promise<number> {
  const paint = createColors(process.stdout)
  const counts: Record<Verdict, number> = { 'STILL FAILS': 0, FIXED: 0, 'NOT REACHED': 0, UNREADABLE: 0 }
  let stoppedAt: string | undefined
  for (const file of files) {
    progress.show(`Running the command under ${file}.`)
    const loaded = await loadFile(file, settings).catch((error: unknown) => messageOf(error))
    if (typeof loaded === 'string') {
      counts.UNREADABLE++
      progress.clear()
      process.stdout.write(`${paint('red', 'UNREADABLE ')} ${file}: ${loaded.replace(/\s*\n\s*/g, ' ')}\n`)
      continue
    }
    const { source } = loaded
    const run = await playTwice(session, () => session.playSource(source, loaded))
    if (session.interruption.signal.aborted) {
      stoppedAt = file
      break
    }
    const verdict = judge(run, source, session)
    counts[verdict]++
    progress.clear()
    process.stdout.write(`${formatVerdict(verdict, file, run, paint)}\n`)
  }
  const summary = Object.entries(counts).filter(([, count]) => count > 0)
  if (summary.length > 1)
    process.stdout.write(`${summary.map(([verdict, count]) => `${count} ${verdict.toLowerCase()}`).join(', ')}\n`)
  if (stoppedAt !== undefined)
    process.stdout.write(`Stopped at ${stoppedAt}: this file and those after it were not tried.\n`)
  if (counts.UNREADABLE > 0 || stoppedAt !== undefined) return 2
  return counts['STILL FAILS'] + counts['NOT REACHED'] > 0 ? 1 : 0
}

/** A scenario file, and the settings that its failure was found with. */
async function loadFile(file: string, settings: HuntSettings) {
  const { source } = await loadScenario(file)
  return { source, settings: withVerdictTexts(settings, readSettingsLine(await readFile(file, 'utf8'))) }
}

async function playTwice(session: HuntSession, play: () => Promise<PlayedCommandRun>): Promise<PlayedCommandRun> {
  let run = await play()
  for (let tries = 1; run.isPassed && tries < TRIES && !session.interruption.signal.aborted; tries++) run = await play()
  return run
}

/** A file whose faults were never applied says nothing. Its own faults come before those of the base scenario. */
function judge({ isPassed, usage }: PlayedCommandRun, source: ScenarioSource, session: HuntSession): Verdict {
  if (!isPassed) return 'STILL FAILS'
  const added = (source.faults?.length ?? 0) - (session.source.faults?.length ?? 0)
  const applied = usage.some(({ ruleId, count }) => count > 0 && isPlannedRule(ruleId, added))
  return applied ? 'FIXED' : 'NOT REACHED'
}

const STYLES = { 'STILL FAILS': 'red', FIXED: 'green', 'NOT REACHED': 'yellow', UNREADABLE: 'red' } as const

function formatVerdict(verdict: Verdict, file: string, { error }: PlayedCommandRun, paint: Paint): string {
  const why = verdict === 'NOT REACHED' ? ': the command made none of its calls. Delete the file, or hunt again.' : ''
  return `${paint(STYLES[verdict], verdict.padEnd(11))} ${file}${error === undefined ? why : `: ${error.message}`}`
}

function say(text: string, exitCode: number): number {
  process.stdout.write(`${text}\n`)
  return exitCode
}
