/** What remains of a hunt for later: scenario files, tokens, and warnings. */

import { countOf } from '../../core/lib/text/count-of.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { shellWord } from '../../terminal/text.ts'
import type { FoundFailure } from '../hunt-result.ts'
import type { ReplaySettings } from '../replay-token.ts'
import { writeReproduction } from '../reproduction-file.ts'
import type { FaultSet } from '../search/fault-set.ts'
import { withFaults } from '../search/reproduce.ts'
import { titleOf } from './hunt-report.ts'
import type { HuntSession, SessionSettings } from './hunt-session.ts'
import { runOptionsOf, settingsLine, verdictTexts } from './verdict-settings.ts'

/** What a replay has to know, where it differs from the defaults. */
export const replaySettingsOf = (settings: SessionSettings): ReplaySettings => {
  const { scenario, seed, identity, ignore } = settings
  return {
    ...(scenario !== 'default' && { scenario }),
    ...(seed !== undefined && { seed }),
    ...(identity !== 'exact' && { identity }),
    ignore,
    ...verdictTexts(settings),
  }
}

/** Writes the scenario file of a failure and returns its name; undefined, with a message, if that fails. */
export function saveReproduction(
  { known, command, settings }: HuntSession,
  base: ScenarioSource,
  faults: FaultSet,
  failure: FoundFailure,
): string | undefined {
  const words = command.map(shellWord).join(' ')
  const { scenario, seed } = settings
  const options = runOptionsOf(settings).map((option) => ` ${option}`)
  try {
    return writeReproduction({
      faults: faults.map(({ fault }) => fault.replace(/;.*$/, '')),
      identity: `${failure.tokens[0] ?? failure.faults} ${words}`,
      about: [
        `Found by api-mock. Under this scenario, ${words} fails.`,
        titleOf(failure),
        ...failure.faults.map((line) => `  ${line}`),
        `Base scenario: ${scenario}`,
        `Reproduce: npx api-mock run${options.join('')} --scenario <file> -- ${words}`,
        ...failure.tokens.slice(0, 1).map((token) => `Replay: npx api-mock hunt --replay ${token} -- ${words}`),
        ...settingsLine(settings),
      ],
      source: { ...withFaults(base, faults, known), ...(seed !== undefined && { seed }) },
    })
  } catch (error) {
    process.stderr.write(`api-mock: Failed to write the scenario file: ${(error as Error).message}.\n`)
    return undefined
  }
}

export function warningsOf({ leftOvers: { runs, example } }: HuntSession): string[] {
  if (example === undefined) return []
  const command = example.command === '' ? `process ${example.pid}` : `'${example.command}'`
  return [
    `Warning: the command left processes running in ${countOf(runs, 'run')}, such as ${command}. They were ended.`,
  ]
}
