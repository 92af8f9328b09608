/**
 * `api-mock hunt --replay` and `--replay-all`: checks if what a hunt has found still fails. A replay of a file prints a line
 * such as `STILL FAILS .api-mock/hunt/hang-1a2b3c4d.yaml: It ended with exit code 1.`
 */

import { readFile } from 'node:fs/promises'
import { isPlannedRule } from '../../core/decide/call/rule-usage.ts'
import { countOf } from '../../core/lib/text/wording.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { loadScenario } from '../../engine/node.ts'
import { messageOf } from '../../play/index.ts'
import { createColors, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { describeFault } from '../describe-cause.ts'
import { type ReplayToken, readToken, writeToken } from '../fault-token.ts'
import { playTwice, playUsual, replayFaults } from '../replay-faults.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { HuntSettings, SessionSettings } from './hunt-options.ts'
import { formatFailure } from './hunt-report.ts'
import { HuntSession } from './hunt-session.ts'
import { HUNT_FOLDER, listReproductions, readOthers } from './reproduction-files.ts'
import { readSettingsLine, withSettingTexts } from './saved-settings.ts'

/** The code of a replay that checks nothing, because the command makes none of its calls. */
const NOT_REACHED = 3
/** The exit code with which `git bisect run` skips a commit. */
const SKIP_COMMIT = 125

/**
 * Returns the exit code: 1 when something still fails or is not reached, 2 when a file cannot be read or the replay was
 * stopped. With `--bisect`, 125 for all but a verdict.
 */
export async function replayCommand(command: readonly string[], settings: HuntSettings): Promise<number> {
  try {
    const code = await replay(command, settings)
    // 0 and 1 are verdicts. Codes above 125 are those of signals, at which git bisect stops.
    const tellsNothing = code > 1 && code <= SKIP_COMMIT
    if (settings.bisect && tellsNothing) return SKIP_COMMIT
    return code === NOT_REACHED ? 1 : code
  } catch (error) {
    if (!settings.bisect) throw error
    printError(`api-mock: ${messageOf(error)}`)
    return SKIP_COMMIT
  }
}

async function replay(command: readonly string[], settings: HuntSettings): Promise<number> {
  if (settings.replay === undefined && !settings['replay-all'])
    throw new UsageError('--bisect: expected --replay or --replay-all with it.')
  if (settings.replay !== undefined && settings['replay-all'])
    throw new UsageError('Expected --replay or --replay-all, got both.')
  if (settings.report.join() !== 'pretty' || settings['report-file'].length > 0)
    throw new UsageError(
      '--report and --report-file: expected a hunt, got a replay. It prints a line for each failure.',
    )
  const token = settings.replay === undefined ? undefined : readToken(settings.replay)
  const files = token === undefined ? listReproductions(command) : []
  if (token === undefined && files.length === 0)
    throw new UsageError(
      `--replay-all: expected scenarios of this command in ${HUNT_FOLDER}, got none. Run api-mock hunt first.`,
    )
  return HuntSession.use(command, withSettingTexts(settings, token?.settings ?? {}), async (session) => {
    session.progress.show('Running the command without faults.')
    return token === undefined ? replayFiles(session, files) : replayToken(session, token)
  })
}

/** Runs the command under the faults of a token. Returns the exit code. */
async function replayToken(session: HuntSession, { faults, settings: own }: ReplayToken): Promise<number> {
  const { known, signal } = session
  const describe = (set: FaultSet): string[] => set.map((fault) => describeFault(fault, known))
  const { run, missing } = await replayFaults(session, 'the command', faults, (now) =>
    session.progress.show(`Running the command with ${describe(now).join(' and ')}.`),
  )
  if (signal.aborted) return session.say('Stopped before the command had ended with these faults.', 2)
  if (run === undefined) return session.say(`NOT REACHED: the command ${missing}`, NOT_REACHED)
  const { isPassed, error, output = [] } = run
  if (isPassed) return session.say('FIXED: the command passes with these faults.')
  const failure = {
    size: countOf(faults.length, 'fault'),
    error: messageOf(error),
    faults: describe(faults),
    output,
    tokens: [writeToken(faults, known, own)],
  }
  const text = formatFailure(failure, session, createColors(process.stdout))
  return session.say(text.replace('FAILS', 'STILL FAILS'), 1)
}

/** The verdicts on a file, each with its colour. */
const STYLES = { 'STILL FAILS': 'red', FIXED: 'green', 'NOT REACHED': 'yellow', UNREADABLE: 'red' } as const

/** Runs the command under scenario files. Returns the exit code. */
async function replayFiles(session: HuntSession, files: readonly string[]): Promise<number> {
  await playUsual(session, 'the command')
  const paint = createColors(process.stdout)
  const counts = { 'STILL FAILS': 0, FIXED: 0, 'NOT REACHED': 0, UNREADABLE: 0 }
  for (const file of files) {
    session.progress.show(`Running the command under ${file}.`)
    const { verdict, why } = await replayFile(session, file)
    if (session.signal.aborted)
      return session.say(`Stopped at ${file}: this file and those after it were not tried.`, 2)
    counts[verdict]++
    session.say(`${paint(STYLES[verdict], verdict.padEnd(11))} ${file}${why}`)
  }
  const summary = Object.entries(counts).filter(([, count]) => count > 0)
  if (summary.length > 1) session.say(summary.map(([verdict, count]) => `${count} ${verdict.toLowerCase()}`).join(', '))
  if (counts.UNREADABLE > 0) return 2
  if (counts['STILL FAILS'] > 0) return 1
  return counts['NOT REACHED'] > 0 ? NOT_REACHED : 0
}

/** Runs the command under the scenarios of a file, with the settings that its failure was found with. */
async function replayFile(
  session: HuntSession,
  file: string,
): Promise<{ readonly verdict: keyof typeof STYLES; readonly why: string }> {
  let sources: readonly ScenarioSource[]
  let settings: SessionSettings
  try {
    const text = await readFile(file, 'utf8')
    const { source } = await loadScenario(file)
    sources = [source, ...readOthers(text, source)]
    settings = withSettingTexts(session.settings, readSettingsLine(text))
  } catch (error) {
    return { verdict: 'UNREADABLE', why: `: ${messageOf(error).replace(/\s*\n\s*/g, ' ')}` }
  }
  const [first] = sources as readonly [ScenarioSource, ...ScenarioSource[]]
  const { faults = [] } = first
  // Its own faults come before those of the base scenario.
  const ownCount = faults.length - (session.source.faults?.length ?? 0)
  // Its base scenario may be another one, so what the command shows without faults is not known.
  if (settings['whole-or-error'])
    await session.playSource({ ...first, faults: faults.slice(ownCount) }, { isBaseline: true, settings })
  let isReached = false
  for (const source of sources) {
    const run = await playTwice(session.signal, () => session.playSource(source, { settings }))
    if (!run.isPassed) {
      const names = source.faults?.slice(0, ownCount).map(({ fault }) => fault)
      const others = source === first ? '' : `with ${names?.join(' and ')}: `
      return { verdict: 'STILL FAILS', why: `: ${others}${messageOf(run.error)}` }
    }
    isReached ||= run.usage.some(({ ruleId, count }) => count > 0 && isPlannedRule(ruleId, ownCount))
    if (session.signal.aborted) break
  }
  // A file whose faults were never applied says nothing.
  return isReached
    ? { verdict: 'FIXED', why: '' }
    : { verdict: 'NOT REACHED', why: ': the command made none of its calls. Delete the file, or hunt again.' }
}
