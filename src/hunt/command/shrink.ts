/** `api-mock shrink`: reduces the faults under which a command failed to those that are needed. */

import { countOf } from '../../core/lib/text/count-of.ts'
import { createColors } from '../../terminal/colors.ts'
import { playSets, runSteps } from '../drive.ts'
import type { FoundFailure } from '../hunt-result.ts'
import { CommandFailure } from '../processes/command-failure.ts'
import { checkHuntFolder } from '../reproduction-file.ts'
import { appliedFaults, withoutFaults } from '../search/applied.ts'
import { describeFault, describeTries } from '../search/describe.ts'
import type { FaultSet } from '../search/fault-set.ts'
import { identityOf } from '../search/identity.ts'
import { observe } from '../search/observe.ts'
import { withFaults } from '../search/reproduce.ts'
import { shrink as shrinkFaults } from '../search/shrink.ts'
import type { ShrinkSettings } from './hunt-options.ts'
import { formatFailure } from './hunt-pretty.ts'
import { HuntProgress } from './hunt-progress.ts'
import { describeBaselineFailure, HuntSession } from './hunt-session.ts'
import { saveReproduction, warningsOf } from './save-reproduction.ts'
import { runOptionsOf } from './verdict-settings.ts'

/** Returns the exit code: 1 when the command fails because of faults. */
export async function shrink(command: readonly string[], settings: ShrinkSettings): Promise<number> {
  checkHuntFolder()
  const session = await HuntSession.open(command, settings)
  const progress = new HuntProgress()
  try {
    const code = await shrinkIn(session, progress)
    for (const warning of warningsOf(session)) process.stdout.write(`${warning}\n`)
    return session.interruption.exitCode ?? code
  } finally {
    progress.clear()
    session.close()
  }
}

async function shrinkIn(session: HuntSession, progress: HuntProgress): Promise<number> {
  const { known, source, identity, interruption, settings } = session
  const { signal } = interruption
  const say = (text: string, exitCode: number): number => {
    progress.clear()
    process.stdout.write(`${text}\n`)
    return exitCode
  }
  progress.show(`Running the command under ${session.scenario}.`)
  const first = await session.playSource(source, { isBaseline: true })
  if (signal.aborted) return say('Stopped before the command had ended. Nothing was tried.', 2)
  if (first.isPassed) return say(`The command passes under ${session.scenario}. Try another --seed.`, 0)

  const applied = appliedFaults(first.entries, source, identityOf(identity)())
  observe(first.entries, applied, known, identityOf(identity)())
  const base = withoutFaults(source)
  progress.show('Running the command without faults.')
  const calm = await session.playSource(base, { isBaseline: true })
  if (signal.aborted) return say('Stopped before the command had run without faults. Nothing was tried.', 2)
  if (!calm.isPassed)
    throw describeBaselineFailure(
      `Failed to shrink: the command fails without faults. Make it pass first.\n  ${calm.error!.message}`,
      calm.error!,
    )
  if (applied.length === 0)
    throw new Error('Failed to shrink: the command failed, but no rule of faults had hit it. Limits are not reduced.')

  const errors = new Map<FaultSet, unknown>()
  const play = (faults: FaultSet) => session.playSource(withFaults(base, faults, known))
  const { finding, tried, isCutShort } = await runSteps(shrinkFaults(applied, settings.jobs), (sets) => {
    const sizes = sets.map(({ length }) => length).join(', ')
    progress.show(`${countOf(applied.length, 'fault')} applied. Now trying ${sizes} of them.`)
    return playSets(sets, { play, known, identity, signal }, errors)
  })
  if (finding === undefined && isCutShort) return say('Stopped before a smaller set was found.', 2)
  if (finding === undefined)
    return say(
      `The command passes when its ${countOf(applied.length, 'fault')} are applied again. It may fail only sometimes, or need more than faults.`,
      2,
    )

  const { faults } = finding
  const error = errors.get(faults)
  const order = [...known.keys()]
  const failure: FoundFailure = {
    size: `${countOf(faults.length, 'fault')}${describeTries(finding)}`,
    faults: faults
      .toSorted((one, other) => order.indexOf(one.call) - order.indexOf(other.call))
      .map((fault) => describeFault(fault, known)),
    error: error instanceof Error ? error.message : 'It failed.',
    output: error instanceof CommandFailure ? error.lines : [],
    // A token names a base scenario, and this one has random faults of its own.
    tokens: [],
    findings: [0],
  }
  const file = saveReproduction(session, base, faults, failure)
  const repeat = { command: session.command, runOptions: runOptionsOf(settings) }
  const left = isCutShort ? ' It was stopped, so fewer may be enough.' : ''
  const summary = `${faults.length} of the ${countOf(applied.length, 'fault')} that were applied are enough. Tried ${countOf(tried, 'set')}.${left}`
  return say(`${formatFailure({ ...failure, file }, repeat, createColors(process.stdout))}\n${summary}`, 1)
}
