/**
 * `api-mock hunt --replay` and `--replay-all`: checks if what a hunt has found still fails. A replay of a file prints a line
 * such as `STILL FAILS .api-mock/hunt/hang-1a2b3c4d.yaml: It ended with exit code 1.`
 */

import { countOf } from '../../core/lib/text/wording.ts'
import { groupBy } from '../../core/report/attempts.ts'
import { messageOf } from '../../play/index.ts'
import { createColors, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { describeFault } from '../describe-cause.ts'
import { type ReplayToken, readToken, writeToken } from '../fault-token.ts'
import { replayFaults } from '../replay-faults.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { HuntSettings } from './hunt-options.ts'
import { formatFailure } from './hunt-report.ts'
import { HuntSession } from './hunt-session.ts'
import { HUNT_FOLDER, listReproductions, type Reproduction } from './reproduction-files.ts'
import { withSettingTexts } from './saved-settings.ts'

/** The code of a replay that checks nothing, because the command makes none of its calls. */
const NOT_REACHED = 3
/** The exit code with which `git bisect run` skips a commit. */
const SKIP_COMMIT = 125

/**
 * Returns the exit code: 1 when something still fails or is not reached, 2 when the replay was stopped. With `--bisect`, 125 for all but a verdict.
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
  const verdicts: Verdict[] = []
  // Files with the same settings share a session, and with it the run without faults.
  for (const group of groupBy(files, ({ tokens }) => JSON.stringify(tokens[0]!.settings))) {
    const ofHunt = withSettingTexts(settings, group[0]!.tokens[0]!.settings)
    const stopCode = await HuntSession.use(command, ofHunt, (session) => replayFiles(session, group, verdicts))
    if (stopCode !== 0) return stopCode
  }
  if (verdicts.includes('STILL FAILS')) return 1
  return verdicts.includes('NOT REACHED') ? NOT_REACHED : 0
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
const STYLES = { 'STILL FAILS': 'red', FIXED: 'green', 'NOT REACHED': 'yellow' } as const
type Verdict = keyof typeof STYLES

/** Replays files, and adds their verdicts. Returns 0, or the exit code of a replay that was stopped. */
async function replayFiles(session: HuntSession, files: readonly Reproduction[], verdicts: Verdict[]): Promise<number> {
  const paint = createColors(process.stdout)
  for (const { file, tokens } of files) {
    session.progress.show(`Running the command under ${file}.`)
    // A file whose faults were never applied says nothing.
    let verdict: Verdict = 'NOT REACHED'
    let why = ': the command made none of its calls. Delete the file, or hunt again.'
    for (const [index, { faults }] of tokens.entries()) {
      const { run } = await replayFaults(session, 'the command', faults)
      if (session.signal.aborted)
        return session.say(`Stopped at ${file}: this file and those after it were not tried.`, 2)
      if (run === undefined) continue
      verdict = run.isPassed ? 'FIXED' : 'STILL FAILS'
      const names = faults.map(({ fault }) => fault.replace(/;.*$/, ''))
      why = run.isPassed ? '' : `: ${index === 0 ? '' : `with ${names.join(' and ')}: `}${messageOf(run.error)}`
      if (!run.isPassed) break
    }
    verdicts.push(verdict)
    session.say(`${paint(STYLES[verdict], verdict.padEnd(11))} ${file}${why}`)
  }
  return 0
}
