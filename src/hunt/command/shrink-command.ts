/**
 * `api-mock shrink`: reduces the faults under which a command failed to those that are needed. Of the 12 faults that
 * `--scenario chaos.yaml` has drawn in a run, it may find that 2 are enough.
 */

import { countOf } from '../../core/lib/text/wording.ts'
import { faultRulesOf } from '../../core/scenario/scenario-source.ts'
import { requirePassed } from '../../play/index.ts'
import { createColors } from '../../terminal/text.ts'
import { groupCauses } from '../causes.ts'
import { describeCause } from '../describe-cause.ts'
import { playSearch } from '../drive.ts'
import { appliedFaults, withFaults, withoutFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import { observeCalls } from '../search/known-calls.ts'
import { ShrinkSearch } from '../search/shrink-search.ts'
import type { ShrinkSettings } from './hunt-options.ts'
import { formatFailure } from './hunt-report.ts'
import type { FoundFailure } from './hunt-result.ts'
import { HuntSession } from './hunt-session.ts'
import { saveReproduction } from './reproduction-files.ts'

/** Returns the exit code: 1 when the command fails because of faults. */
export async function shrinkCommand(command: readonly string[], settings: ShrinkSettings): Promise<number> {
  return HuntSession.use(command, settings, async (session) => {
    const code = await shrinkIn(session)
    for (const warning of session.warnings) session.say(warning)
    return code
  })
}

async function shrinkIn(session: HuntSession): Promise<number> {
  const { known, source, identity, signal, settings } = session
  const { scenario } = settings
  session.progress.show(`Running the command under ${scenario}.`)
  const first = await session.playSource(source, { isBaseline: true })
  signal.throwIfAborted()
  if (first.isPassed && first.entries.length === 0)
    return session.say(
      'The command passed, and made no call to the mock. Does it read OPENAI_BASE_URL and OPENAI_API_KEY?',
    )
  const isRandom = faultRulesOf(source).some(({ rule }) => rule.chance ?? rule.bursts)
  const advice = isRandom ? 'Try another --seed.' : 'It has no faults by chance. Choose another --scenario.'
  if (first.isPassed) return session.say(`The command passes under ${scenario}. ${advice}`)

  const applied = appliedFaults(first.entries, source, identity)
  // Adds its calls to `known`: `withFaults` reads the conditions of their rules there.
  observeCalls(first.entries, applied, known, identity)
  const base = withoutFaults(source)
  session.progress.show('Running the command without faults.')
  const calm = await session.playSource(base, { isBaseline: true })
  signal.throwIfAborted()
  requirePassed(calm, 'Failed to shrink: the command fails without faults. Make it pass first.')
  if (applied.length === 0)
    throw new Error('Failed to shrink: the command failed, but no rule of faults had hit it. Limits are not reduced.')

  const play = (faults: FaultSet) => session.playSource(withFaults(base, faults, known))
  const search = new ShrinkSearch({ applied, jobs: settings.jobs })
  const { findings, tried, isCutShort } = await playSearch(search, { play, known, identity, signal }, (_, sets) => {
    const sizes = sets.map(({ length }) => length).join(', ')
    session.progress.show(`${countOf(applied.length, 'fault')} applied. Now trying ${sizes} of them.`)
  })
  const [finding] = findings
  if (finding === undefined) {
    const passes = `The command passes when its ${countOf(applied.length, 'fault')} are applied again. It may fail only sometimes, or need more than faults.`
    return session.say(isCutShort ? 'Stopped before a smaller set was found.' : passes, 2)
  }

  const { faults } = finding
  const [cause] = groupCauses([finding])
  // A token would not repeat this run, because its scenario has random faults. The only finding has number 0.
  const failure: FoundFailure = { ...describeCause(cause!, known, '--skip-outages'), tokens: [], findings: [0] }
  const saved = saveReproduction(session, base, faults, failure)
  const shown = formatFailure(saved, session, createColors(process.stdout))
  const left = isCutShort ? ' It was stopped, so fewer may be enough.' : ''
  const enough =
    applied.length === 1
      ? 'The only fault that was applied is enough.'
      : `${faults.length} of the ${applied.length} faults that were applied ${faults.length === 1 ? 'is' : 'are'} enough.`
  const summary = `${enough} Tried ${countOf(tried.length, 'set')}.${left}`
  return session.say(`${shown}\n${summary}`, 1)
}
