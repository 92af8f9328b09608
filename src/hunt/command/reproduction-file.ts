/** The scenario files that reproduce what a hunt has found. */
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { escapeControls } from '../../core/lib/text/wording.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { shellWord } from '../../terminal/text.ts'
import { withFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import { type FoundFailure, titleOf } from './hunt-report.ts'
import type { HuntSession } from './hunt-session.ts'
import { runOptionsOf, settingsLine } from './replay-token.ts'

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

/** Writes the scenario file of a failure, over that of an earlier hunt. Returns its name; undefined, with a message, if that fails. */
export function saveReproduction(
  { known, command, settings }: HuntSession,
  base: ScenarioSource,
  faults: FaultSet,
  failure: FoundFailure,
): string | undefined {
  const words = command.map(shellWord).join(' ')
  const { scenario, seed } = settings
  // The same finding has the same name when another hunt finds it again.
  const identity = `${failure.tokens[0] ?? failure.faults} ${words}`
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  const names = faults.map(({ fault }) => fault.replace(/;.*$/, ''))
  const file = join(HUNT_FOLDER, `${names.join('-')}-${hash}.yaml`)
  const options = runOptionsOf(settings).map((option) => ` ${option}`)
  const head = [
    `Found by api-mock. Under this scenario, ${words} fails.`,
    titleOf(failure),
    ...failure.faults.map((line) => `  ${line}`),
    `Base scenario: ${scenario}`,
    `Reproduce: npx api-mock run${options.join('')} --scenario ${file} -- ${words}`,
    ...failure.tokens.slice(0, 1).map((token) => `Replay: npx api-mock hunt --replay ${token} -- ${words}`),
    ...settingsLine(settings),
  ]
  const source = { ...withFaults(base, faults, known), ...(seed !== undefined && { seed }) }
  try {
    mkdirSync(HUNT_FOLDER, { recursive: true })
    const comment = head.map((line) => `# ${escapeControls(line)}\n`).join('')
    writeFileSync(file, comment + stringify(source, { lineWidth: 0, aliasDuplicateObjects: false }))
    return file
  } catch (error) {
    process.stderr.write(`api-mock: Failed to write the scenario file: ${(error as Error).message}.\n`)
    return undefined
  }
}

/** All files that hunts have written here, in the order of their names. */
export function listReproductions(): string[] {
  const files = findFolder() === HUNT_FOLDER ? readdirSync(HUNT_FOLDER) : []
  const scenarios = files.filter((file) => /\.ya?ml$/.test(file))
  return scenarios.sort().map((file) => join(HUNT_FOLDER, file))
}
