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
import { type FoundFailure, repeatLines, wordsOf } from './hunt-report.ts'
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
 * @param others sets with other faults in the same places
 * @returns the failure with the name of the file; without it, after a message, if that fails
 */
export function saveReproduction(
  session: HuntSession,
  base: ScenarioSource,
  [faults, ...others]: readonly [FaultSet, ...FaultSet[]],
  failure: FoundFailure,
): FoundFailure {
  const { known, command, settings } = session
  const words = wordsOf(command)
  const { scenario, seed } = settings
  // The same finding has the same name when another hunt finds it again.
  const identity = `${failure.tokens[0] ?? failure.faults} ${words}`
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  const names = faults.map(({ fault }) => fault.replace(/;.*$/, ''))
  const file = join(HUNT_FOLDER, `${names.join('-')}-${hash}.yaml`)
  const comments = [
    `Found by api-mock. Under this scenario, ${words} fails.`,
    ...blockOf(failure, [], []).split('\n'),
    `Base scenario: ${scenario}`,
    ...repeatLines({ ...failure, file }, session),
    ...settingsLine(settings),
    `Command: ${words}`,
    ...others.map((set) => {
      const rules = withFaults(base, set, known).faults!.slice(0, set.length)
      return `Also: ${JSON.stringify(rules.map(({ when, skip, times, ...fault }) => fault))}`
    }),
  ]
  const source = { ...withFaults(base, faults, known), ...(seed !== undefined && { seed }) }
  try {
    mkdirSync(HUNT_FOLDER, { recursive: true })
    const head = comments.map((line) => `# ${escapeControls(line)}\n`).join('')
    writeFileSync(file, head + stringify(source, { lineWidth: 0, aliasDuplicateObjects: false }))
    return { ...failure, file }
  } catch (error) {
    printError(`api-mock: Failed to write the scenario file: ${(error as Error).message}.`)
    return failure
  }
}

/**
 * Reads the scenarios with the other faults of a file, from its lines `Also`: the rules of its scenario, each with another
 * fault on the same calls.
 */
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
