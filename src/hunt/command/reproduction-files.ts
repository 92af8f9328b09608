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
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
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

const UNUSABLE = `Failed to use the folder ${HUNT_FOLDER}`

/** @throws when no file could be written there, before the command runs for nothing */
export function checkHuntFolder(): void {
  const found = findFolder()
  try {
    accessSync(found, constants.W_OK)
  } catch {
    throw new Error(`${UNUSABLE}: '${found}' cannot be written to. Change its permissions.`)
  }
}

/** The part of the folder's path that exists. @throws when that is a file */
function findFolder(): string {
  const found = [HUNT_FOLDER, dirname(HUNT_FOLDER), '.'].find((folder) => existsSync(folder))!
  if (!statSync(found).isDirectory())
    throw new Error(`${UNUSABLE}: '${found}' is not a folder. Rename it, or run api-mock in another folder.`)
  return found
}

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
  const alsoLines = others.map((other) => alsoLine(other, sets[0].length))
  const head = [...describeFile(saved, session), ...alsoLines].map((line) => `# ${escapeControls(line)}\n`).join('')
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

/** The first comments of a file: the failure, and how to repeat it. */
function describeFile(failure: FoundFailure, session: HuntSession): string[] {
  const words = wordsOf(session.command)
  return [
    `Found by api-mock. Under this scenario, ${words} fails.`,
    ...blockOf(failure).split('\n'),
    `Base scenario: ${session.settings.scenario}`,
    ...repeatLines(failure, session),
    ...settingsLine(session.settings),
    `Command: ${words}`,
  ]
}

/**
 * The comment with another set of faults on the same calls. `withFaults` has made the first rules of its scenario, in the
 * same order as the first rules of the file. So the comment needs only the faults, and `readOthers` takes the rest from there:
 *
 *     { fault: hang, when: { ... } }            a rule of the file
 *     { fault: cut, after: 2, when: { ... } }   the same rule with the other fault
 *     # Also: [{"fault":"cut","after":2}]       its comment
 *
 * @param count the number of faults in the set
 */
const alsoLine = ({ faults = [] }: ScenarioSource, count: number): string =>
  `Also: ${JSON.stringify(faults.slice(0, count).map(({ when, skip, times, ...fault }) => fault))}`

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
  const names = findFolder() === HUNT_FOLDER ? readdirSync(HUNT_FOLDER) : []
  const files = names.filter((name) => /\.ya?ml$/.test(name)).map((name) => join(HUNT_FOLDER, name))
  const isOwn = (file: string): boolean => {
    const [, owner] = /^# Command: (.*)$/m.exec(readFileSync(file, 'utf8')) ?? []
    return owner === undefined || owner === escapeControls(wordsOf(command))
  }
  return files.filter(isOwn).sort()
}
