/**
 * The findings that a hunt with a command keeps: a scenario file for each cause, `.api-mock/hunt/hang-1a2b3c4d.yaml`. Its
 * comments name the command, the settings of the hunt on which its verdict depends, and other faults with the same cause:
 *
 *     # Found by api-mock. Under this scenario, node agent.js fails.
 *     # FAILS with 1 fault: It ended with exit code 1.
 *     #   call 2 (POST chat "booked as number 1", attempt 1): hang or cut
 *     # Base scenario: default
 *     # Settings: fail-on=conduct
 *     # Command: node agent.js
 *     # Also: [{"fault":"cut","after":2}]
 *     faults:
 *       - fault: hang
 *         when: ...
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
 * @param sets the set of faults of the scenario, then others in the same places
 * @returns the failure with the name of the file. If writing fails, prints why and returns the failure without a file.
 */
export function saveReproduction(
  session: HuntSession,
  base: ScenarioSource,
  sets: readonly [FaultSet, ...FaultSet[]],
  failure: FoundFailure,
): FoundFailure {
  const { seed } = session.settings
  const saved = { ...failure, file: nameFile(sets[0], failure, wordsOf(session.command)) }
  const [source, ...others] = sets.map((faults) => withFaults(base, faults, session.known))
  // `withFaults` has made the first rules of each scenario, in one order. So another set of faults on the same calls needs a
  // comment with the faults only, and `readOthers` takes the rest from the rules of the file:
  //     { fault: hang, when: { ... } }            a rule of the file
  //     { fault: cut, after: 2, when: { ... } }   the same rule with the other fault
  //     # Also: [{"fault":"cut","after":2}]       its comment
  const alsoLines = others.map(({ faults = [] }) => {
    const ownFaults = faults.slice(0, sets[0].length).map(({ when, skip, times, ...fault }) => fault)
    return `Also: ${JSON.stringify(ownFaults)}`
  })
  const words = wordsOf(session.command)
  const comments = [
    `Found by api-mock. Under this scenario, ${words} fails.`,
    ...blockOf(saved).split('\n'),
    `Base scenario: ${session.settings.scenario}`,
    ...repeatLines(saved, session),
    ...settingsLine(session.settings),
    `Command: ${words}`,
    ...alsoLines,
  ]
  const head = comments.map((line) => `# ${escapeControls(line)}\n`).join('')
  const seeded = { ...source, ...(seed !== undefined && { seed }) }
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

/** Reads the scenarios with the other faults of a file, from its lines `Also`. */
export function readOthers(file: string, source: ScenarioSource): ScenarioSource[] {
  return [...file.matchAll(/^# Also: (.*)$/gm)].map(([, json = '']) => {
    const faults = JSON.parse(json) as readonly SourceFault[]
    const rules = source.faults!.slice(0, faults.length).map(({ when, skip, times }, index) => {
      const calls = Object.entries({ when, skip, times }).filter(([, value]) => value !== undefined)
      return { ...faults[index]!, ...Object.fromEntries(calls) }
    })
    return { ...source, faults: [...rules, ...source.faults!.slice(faults.length)] }
  })
}

/** The files that hunts for a command have written here, in the order of their names, with those that name no command. */
export function listReproductions(command: readonly string[]): string[] {
  const names = existsSync(HUNT_FOLDER) ? readdirSync(HUNT_FOLDER) : []
  const files = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => join(HUNT_FOLDER, name))
  const isOwn = (file: string): boolean => {
    const [, owner] = /^# Command: (.*)$/m.exec(readFileSync(file, 'utf8')) ?? []
    return owner === undefined || owner === escapeControls(wordsOf(command))
  }
  return files.filter(isOwn).sort()
}
