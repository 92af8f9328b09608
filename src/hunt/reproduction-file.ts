/** The scenario files that reproduce what a hunt has found. */
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { escapeControls } from '../core/lib/text/escape-controls.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'

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

/** What a file says about itself. */
export interface Reproduction {
  /** Of its faults: `cut`. */
  readonly faults: readonly string[]
  /** What makes it the same finding when another hunt finds it again. */
  readonly identity: string
  /** The lines of the comment at its head. `<file>` stands for its name. */
  readonly about: readonly string[]
  readonly source: ScenarioSource
}

/** Writes the file, over that of an earlier hunt, and returns its name. */
export function writeReproduction({ faults, identity, about, source }: Reproduction): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  const file = join(HUNT_FOLDER, `${faults.join('-')}-${hash}.yaml`)
  const head = about.map((line) => `# ${escapeControls(line).replaceAll('<file>', file)}\n`)
  mkdirSync(HUNT_FOLDER, { recursive: true })
  writeFileSync(file, head.join('') + stringify(source, { lineWidth: 0, aliasDuplicateObjects: false }))
  return file
}

/** All files that hunts have written here, in the order of their names. */
export function listReproductions(): string[] {
  findFolder()
  try {
    const files = readdirSync(HUNT_FOLDER).filter((file) => /\.ya?ml$/.test(file))
    return files.sort().map((file) => join(HUNT_FOLDER, file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
