/**
 * `api-mock hunt --replay` and `--replay-all`: checks if what a hunt has found still fails. A replay of a file prints a line
 * such as `STILL FAILS .api-mock/hunt/hang-1a2b3c4d.yaml: It ended with exit code 1.`
 */

import { countOf } from '../../core/lib/text/wording.ts'
import { groupBy } from '../../core/report/attempts.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { loadScenario } from '../../engine/node.ts'
import { messageOf, type Played, requirePassed } from '../../play/index.ts'
import { createColors, print, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { describeFault } from '../describe-cause.ts'
import { type ReplayToken, readToken, writeToken } from '../fault-token.ts'
import { replayFaults } from '../replay-faults.ts'
import { withoutFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { HuntSettings } from './hunt-options.ts'
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
  if (settings.replay !== undefined) {
    const token = readToken(settings.replay)
    return HuntSession.use(command, withSettingTexts(settings, token.settings), (session) =>
      replayToken(session, token),
    )
  }
  const files = listReproductions(command)
  if (files.length === 0)
    throw new UsageError(
      `--replay-all: expected scenarios of this command in ${HUNT_FOLDER}, got none. Run api-mock hunt first.`,
    )
  return replayFiles(command, settings, files)
}

/** Runs the command under the faults of a token. Returns the exit code. */
async function replayToken(session: HuntSession, { faults, settings: own }: ReplayToken): Promise<number> {
  const { known, signal } = session
  const describe = (set: FaultSet): string[] => set.map((fault) => describeFault(fault, known))
  session.progress.show('Running the command without faults.')
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

/** A file, with what a replay needs. */
interface SavedFile {
  readonly file: string
  readonly settings: HuntSettings
  readonly tokens: readonly ReplayToken[]
  /** The scenarios to replay: without tokens, that of the file. */
  readonly scenarios: readonly ScenarioSource[]
}

/** Runs the command under what files have saved, and prints a verdict for each. Returns the exit code. */
async function replayFiles(
  command: readonly string[],
  settings: HuntSettings,
  files: ReturnType<typeof listReproductions>,
): Promise<number> {
  const paint = createColors(process.stdout)
  const counts = { 'STILL FAILS': 0, FIXED: 0, 'NOT REACHED': 0, UNREADABLE: 0 }
  const say = (verdict: keyof typeof STYLES, file: string, why: string): void => {
    counts[verdict]++
    print(`${paint(STYLES[verdict], verdict.padEnd(11))} ${file}${why}`)
  }
  const saved: SavedFile[] = []
  for (const { file, text } of files) {
    try {
      saved.push(await readSaved(file, text, settings))
    } catch (error) {
      say('UNREADABLE', file, `: ${messageOf(error).replace(/\s*\n\s*/g, ' ')}`)
    }
  }
  // Files with the same settings share a session, and with it the run without faults.
  for (const group of groupBy(saved, (one) => JSON.stringify(one.settings))) {
    const stopCode = await HuntSession.use(command, group[0]!.settings, async (session) => {
      for (const one of group) {
        session.progress.show(`Running the command under ${one.file}.`)
        const { verdict, why } = await replayFile(session, one)
        if (session.signal.aborted)
          return session.say(`Stopped at ${one.file}: this file and those after it were not tried.`, 2)
        session.progress.clear()
        say(verdict, one.file, why)
      }
      return 0
    })
    if (stopCode !== 0) return stopCode
  }
  const summary = Object.entries(counts).filter(([, count]) => count > 0)
  if (summary.length > 1) print(summary.map(([verdict, count]) => `${count} ${verdict.toLowerCase()}`).join(', '))
  if (counts.UNREADABLE > 0) return 2
  if (counts['STILL FAILS'] > 0) return 1
  return counts['NOT REACHED'] > 0 ? NOT_REACHED : 0
}

/** @throws for a damaged token or scenario, and for a base scenario that is not there */
async function readSaved(file: string, text: string, settings: HuntSettings): Promise<SavedFile> {
  const tokens = [...text.matchAll(/^# Token: (.*)$/gm)].map(([, token = '']) => readToken(token, file))
  if (tokens.length > 0) {
    const own = withSettingTexts(settings, tokens[0]!.settings)
    await loadScenario(own.scenario)
    return { file, settings: own, tokens, scenarios: [] }
  }
  const own = { ...withSettingTexts(settings, readSettingsLine(text)), scenario: file }
  const { source } = await loadScenario(file)
  return { file, settings: own, tokens, scenarios: [source, ...readOthers(text, source)] }
}

/** Runs the command under what a file has saved, until it fails. A file whose faults were never applied says nothing. */
async function replayFile(session: HuntSession, { tokens, scenarios }: SavedFile) {
  const replays = [
    ...tokens.map(({ faults }) => ({
      faults,
      replay: async () => (await replayFaults(session, 'the command', faults)).run,
    })),
    ...scenarios.map((source) => ({ faults: source.faults ?? [], replay: () => replayScenario(session, source) })),
  ]
  let isReached = false
  for (const [index, { faults, replay }] of replays.entries()) {
    const run = await replay()
    if (session.signal.aborted) break
    if (run?.isPassed === false) {
      const names = faults.map(({ fault }) => String(fault).replace(/;.*$/, ''))
      const others = index === 0 ? '' : `with ${names.join(' and ')}: `
      return { verdict: 'STILL FAILS', why: `: ${others}${messageOf(run.error)}` } as const
    }
    isReached ||= run !== undefined
  }
  if (isReached) return { verdict: 'FIXED', why: '' } as const
  const why = ': the command made none of its calls. Delete the file, or hunt again.'
  return { verdict: 'NOT REACHED', why } as const
}

/** Runs the command without the faults of a scenario, then with them. Returns the run, or undefined when no fault was applied. */
async function replayScenario(session: HuntSession, source: ScenarioSource): Promise<Played | undefined> {
  const { signal } = session
  const usual = await session.playSource(withoutFaults(source), { isBaseline: true })
  signal.throwIfAborted()
  requirePassed(usual, 'Failed to replay: the command fails without faults. Make it pass first.')
  const first = await session.playSource(source)
  // A flaky failure may pass once.
  const run = first.isPassed && !signal.aborted ? await session.playSource(source) : first
  const isReached = !run.isPassed || run.entries.some(({ fault }) => fault !== undefined)
  return isReached ? run : undefined
}
