/**
 * The findings that a hunt with a command keeps: a scenario file for each cause, `.api-mock/hunt/hang-1a2b3c4d.yaml`. Its
 * comments name the command, and a token for each set of faults in the same places, which `--replay-all` replays:
 *
 *     # Found by api-mock. Under this scenario, node agent.js fails.
 *     # FAILS with 1 fault: It ended with exit code 1.
 *     #   call 2 (POST chat "booked as number 1", attempt 1): hang or cut
 *     # Base scenario: default
 *     # Command: node agent.js
 *     # Token: 1q307jmytm5:1:hang,fail-on=conduct
 *     # Token: 1q307jmytm5:1:cut:after=2,fail-on=conduct
 *     faults:
 *       - fault: hang
 *         when: ...
 *
 * A file of `shrink` has no token: its own scenario is replayed, with the settings that a comment names.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { escapeControls } from '../../core/lib/text/wording.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { printError } from '../../terminal/text.ts'
import { blockOf } from '../describe-cause.ts'
import { withFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { SourceFault } from '../search/known-calls.ts'
import { repeatLines, wordsOf } from './hunt-report.ts'
import type { FoundFailure } from './hunt-result.ts'
import type { HuntSession } from './hunt-session.ts'
import { settingsLine } from './saved-settings.ts'

export const HUNT_FOLDER = join('.api-mock', 'hunt')

/**
 * Writes the scenario file of a cause, over that of an earlier hunt.
 * @param tokens for `--replay-all`: those of the faults, and of others in the same places. Default: none
 * @returns the failure with the name of the file. If writing fails, prints why and returns the failure without a file.
 */
export function saveReproduction(
  session: HuntSession,
  base: ScenarioSource,
  faults: FaultSet,
  failure: FoundFailure,
  tokens: readonly string[] = [],
): FoundFailure {
  const { seed, scenario } = session.settings
  const words = wordsOf(session.command)
  const saved = { ...failure, file: nameFile(faults, failure, words) }
  const comments = [
    `Found by api-mock. Under this scenario, ${words} fails.`,
    ...blockOf(saved).split('\n'),
    `Base scenario: ${scenario}`,
    ...repeatLines(saved, session),
    ...(tokens.length > 0 ? [] : settingsLine(session.settings)),
    `Command: ${words}`,
    ...tokens.map((token) => `Token: ${token}`),
  ]
  const head = comments.map((line) => `# ${escapeControls(line)}\n`).join('')
  const seeded = { ...withFaults(base, faults, session.known), ...(seed !== undefined && { seed }) }
  try {
    mkdirSync(HUNT_FOLDER, { recursive: true })
    writeFileSync(saved.file, head + stringify(seeded, { lineWidth: 0, aliasDuplicateObjects: false }))
    return saved
  } catch (error) {
    printError(`api-mock: Failed to write the scenario file: ${(error as Error).message}.`)
    return failure
  }
}

/** `.api-mock/hunt/hang-1a2b3c4d.yaml`: the same name when another hunt finds the same again. */
function nameFile(set: FaultSet, { tokens, faults }: FoundFailure, words: string): string {
  // Without a token, as after `shrink`, the faults in words tell it apart.
  const finding = `${tokens[0] ?? faults} ${words}`
  const hash = createHash('sha256').update(finding).digest('hex').slice(0, 8)
  const names = set.map(({ fault }) => fault.replace(/;.*$/, ''))
  return join(HUNT_FOLDER, `${names.join('-')}-${hash}.yaml`)
}

/**
 * The files that hunts and `shrink` have written here for a command, in the order of their names, with those that name no
 * command.
 */
export function listReproductions(command: readonly string[]): { readonly file: string; readonly text: string }[] {
  const names = existsSync(HUNT_FOLDER) ? readdirSync(HUNT_FOLDER).filter((name) => /\.ya?ml$/.test(name)) : []
  const files = names.sort().map((name) => join(HUNT_FOLDER, name))
  return files
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => {
      const [, owner] = /^# Command: (.*)$/m.exec(text) ?? []
      return owner === undefined || owner === escapeControls(wordsOf(command))
    })
}

/** Reads the scenarios with other faults on the same calls from a file of version 0.1.0, which has no tokens. */
export function readOthers(text: string, source: ScenarioSource): ScenarioSource[] {
  return [...text.matchAll(/^# Also: (.*)$/gm)].map(([, json = '']) => {
    const faults = JSON.parse(json) as readonly SourceFault[]
    const rules = source.faults!.slice(0, faults.length).map(({ when, skip, times }, index) => {
      const calls = Object.entries({ when, skip, times }).filter(([, value]) => value !== undefined)
      return { ...faults[index]!, ...Object.fromEntries(calls) }
    })
    return { ...source, faults: [...rules, ...source.faults!.slice(faults.length)] }
  })
}
