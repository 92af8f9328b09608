/** `api-mock hunt --replay` and `--replay-all`: checks if what a hunt has found still fails. */
import { readFile } from 'node:fs/promises'
import { isPlannedRule } from '../../core/decide/call/rule-usage.ts'
import { countOf } from '../../core/lib/text/wording.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { loadScenario } from '../../engine/node.ts'
import { createColors } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { describeFault } from '../describe-findings.ts'
import { describeFailure, messageOf } from '../played-run.ts'
import { observeCalls } from '../search/known-calls.ts'
import type { HuntSettings, SessionSettings } from './hunt-options.ts'
import { formatFailure } from './hunt-report.ts'
import { HuntSession, type PlayedCommand } from './hunt-session.ts'
import {
  HUNT_FOLDER,
  listReproductions,
  type ReplayToken,
  readSettingsLine,
  readToken,
  runOptionsOf,
  withSettingTexts,
  writeToken,
} from './replay-token.ts'

/** A flaky failure may pass once. */
const TRIES = 2

/** Returns the exit code: 1 when something still fails or is not reached, 2 when a file cannot be read or the replay was stopped. */
export async function replayCommand(command: readonly string[], settings: HuntSettings): Promise<number> {
  if (settings.replay !== undefined && settings['replay-all'])
    throw new UsageError('Expected --replay or --replay-all, got both.')
  if (settings.report.join() !== 'pretty' || settings['report-file'].length > 0)
    throw new UsageError(
      '--report and --report-file: expected a hunt, got a replay. It prints a line for each failure.',
    )
  const token = settings.replay === undefined ? undefined : readToken(settings.replay)
  const files = token === undefined ? listReproductions() : []
  if (token === undefined && files.length === 0)
    throw new UsageError(`--replay-all: expected scenarios in ${HUNT_FOLDER}, got none. Run api-mock hunt first.`)
  return HuntSession.use(command, withSettingTexts(settings, token?.settings ?? {}), async (session) => {
    const { interruption, known, identity } = session
    session.show('Running the command without faults.')
    const run = await session.play([])
    if (interruption.exitCode !== undefined) return interruption.exitCode
    if (interruption.signal.aborted)
      throw new Error('--time ended the replay before the command had run without faults. Raise --time.')
    if (!run.isPassed)
      throw new Error(describeFailure('Failed to replay: the command fails without faults. Make it pass first.', run))
    observeCalls(run.entries, [], known, identity)
    const code = await (token === undefined ? replayFiles(session, files) : replayFaults(session, token))
    return interruption.exitCode ?? code
  })
}

/**
 * Runs the command under the faults of a token. It names calls by their requests, so those that appear only under other
 * faults have to be seen first.
 */
async function replayFaults(session: HuntSession, { faults, settings: own }: ReplayToken): Promise<number> {
  const { command, known, identity, signal, settings } = session
  for (let seen = 0; ; ) {
    const now = faults.filter(({ call }) => known.has(call))
    if (now.length <= seen) break
    seen = now.length
    const shown = now.map((fault) => describeFault(fault, known))
    session.show(`Running the command with ${shown.join(' and ')}.`)
    const run = await playTwice(session, () => session.play(now))
    if (signal.aborted) return session.say('Stopped before the command had ended with these faults.', 2)
    observeCalls(run.entries, now, known, identity)
    if (now.length < faults.length) continue
    if (run.isPassed) return session.say('FIXED: the command passes with these faults.')
    const failure = {
      size: countOf(faults.length, 'fault'),
      error: messageOf(run.error),
      faults: shown,
      output: run.output,
      tokens: [writeToken(faults, known, own)],
    }
    const repeat = { command, runOptions: runOptionsOf(settings) }
    const text = formatFailure(failure, repeat, createColors(process.stdout))
    return session.say(text.replace('FAILS', 'STILL FAILS'), 1)
  }
  const missing = faults.filter(({ call }) => !known.has(call)).map(({ call }) => call)
  return session.say(
    `NOT REACHED: the command made no call ${missing.join(' or ')}. Its requests have changed. Hunt again.`,
    1,
  )
}

const STYLES = { 'STILL FAILS': 'red', FIXED: 'green', 'NOT REACHED': 'yellow', UNREADABLE: 'red' } as const

/** Runs the command under scenario files, each with the settings that its failure was found with. */
async function replayFiles(session: HuntSession, files: readonly string[]): Promise<number> {
  const paint = createColors(process.stdout)
  const counts = { 'STILL FAILS': 0, FIXED: 0, 'NOT REACHED': 0, UNREADABLE: 0 }
  const report = (verdict: keyof typeof counts, file: string, why: string): void => {
    counts[verdict]++
    session.say(`${paint(STYLES[verdict], verdict.padEnd(11))} ${file}${why}`)
  }
  let stoppedAt: string | undefined
  for (const file of files) {
    session.show(`Running the command under ${file}.`)
    let source: ScenarioSource
    let settings: SessionSettings
    try {
      source = (await loadScenario(file)).source
      settings = withSettingTexts(session.settings, readSettingsLine(await readFile(file, 'utf8')))
    } catch (error) {
      report('UNREADABLE', file, `: ${messageOf(error).replace(/\s*\n\s*/g, ' ')}`)
      continue
    }
    const run = await playTwice(session, () => session.playSource(source, { settings }))
    if (session.signal.aborted) {
      stoppedAt = file
      break
    }
    // A file whose faults were never applied says nothing. Its own faults come before those of the base scenario.
    const added = (source.faults?.length ?? 0) - (session.source.faults?.length ?? 0)
    const isReached = run.usage.some(({ ruleId, count }) => count > 0 && isPlannedRule(ruleId, added))
    if (!run.isPassed) report('STILL FAILS', file, `: ${messageOf(run.error)}`)
    else if (isReached) report('FIXED', file, '')
    else report('NOT REACHED', file, ': the command made none of its calls. Delete the file, or hunt again.')
  }
  const summary = Object.entries(counts).filter(([, count]) => count > 0)
  if (summary.length > 1) session.say(summary.map(([verdict, count]) => `${count} ${verdict.toLowerCase()}`).join(', '))
  if (stoppedAt !== undefined) session.say(`Stopped at ${stoppedAt}: this file and those after it were not tried.`)
  if (counts.UNREADABLE > 0 || stoppedAt !== undefined) return 2
  return counts['STILL FAILS'] + counts['NOT REACHED'] > 0 ? 1 : 0
}

async function playTwice({ signal }: HuntSession, play: () => Promise<PlayedCommand>): Promise<PlayedCommand> {
  let run = await play()
  for (let tries = 1; run.isPassed && tries < TRIES && !signal.aborted; tries++) run = await play()
  return run
}
