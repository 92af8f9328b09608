/**
 * The findings that a hunt with a command keeps: a scenario file for each cause. Its comments name the command, the settings of
 * the hunt on which its verdict depends, and other faults with the same cause.
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
import { goDuration } from '../../core/lib/text/duration.ts'
import { escapeControls } from '../../core/lib/text/wording.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { printError } from '../../terminal/text.ts'
import { blockOf } from '../describe-cause.ts'
import type { SettingTexts } from '../fault-token.ts'
import { withFaults } from '../search/fault-rules.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { SourceFault } from '../search/known-calls.ts'
import { huntOptions, type SessionSettings } from './hunt-options.ts'
import { type FoundFailure, repeatLines, wordsOf } from './hunt-report.ts'
import { checksOf, type HuntSession } from './hunt-session.ts'

/** The settings on which the verdict on a run depends. Scenario files keep them too. */
const VERDICT_SETTINGS = [
  'fail-on',
  'speed',
  'run-timeout',
  'real-time',
  'whole-or-error',
  'once',
  'max-calls',
] as const
/** The settings that a replay needs besides the faults, to apply them to the same calls. */
const REPLAY_SETTINGS = ['scenario', 'seed', 'identity', 'ignore', ...VERDICT_SETTINGS] as const

const isDefault = (settings: SessionSettings, name: (typeof REPLAY_SETTINGS)[number]): boolean =>
  String(settings[name] ?? false) ===
  String(huntOptions[name].read([huntOptions[name].default ?? []].flat(), name) ?? false)

/** The settings that a replay needs, where they differ from the defaults. */
export function settingTexts(settings: SessionSettings): SettingTexts {
  const texts = REPLAY_SETTINGS.filter((name) => !isDefault(settings, name)).map((name) => {
    const values = [settings[name] ?? []].flat()
    return [name, values.map((value) => (name === 'run-timeout' ? goDuration(Number(value)) : String(value)))]
  })
  return Object.fromEntries(texts)
}

/** The settings, with those of a finding in place of defaults. @throws when a text is not allowed */
export function withSettingTexts<Settings extends SessionSettings>(settings: Settings, texts: SettingTexts): Settings {
  const own = REPLAY_SETTINGS.filter((name) => texts[name] !== undefined && isDefault(settings, name))
  return {
    ...settings,
    ...Object.fromEntries(own.map((name) => [name, huntOptions[name].read(texts[name]!, name)])),
    ignore: [...settings.ignore, ...(texts.ignore ?? [])],
  }
}

/** The options with which `api-mock run` comes to the same verdict; undefined for properties, which it does not check. */
export const runOptionsOf = (settings: SessionSettings): string[] | undefined =>
  checksOf(settings).length > 0
    ? undefined
    : [
        ...(settings['fail-on'] === 'conduct' ? ['--conduct', 'strict'] : []),
        ...(settings.speed === 1 ? [] : ['--speed', String(settings.speed)]),
      ]

/** The comment of a scenario file with the settings: `Settings: fail-on=conduct, speed=10`. Nothing when all are defaults. */
export function settingsLine(settings: SessionSettings): string[] {
  const texts = settingTexts(settings)
  const parts = VERDICT_SETTINGS.flatMap((name) => texts[name]?.map((text) => `${name}=${text}`) ?? [])
  return parts.length === 0 ? [] : [`Settings: ${parts.join(', ')}`]
}

/** Reads the settings from the comments of a scenario file. */
export function readSettingsLine(file: string): SettingTexts {
  const [, line = ''] = /^# Settings: (.*)$/m.exec(file) ?? []
  const texts: Record<string, string[]> = {}
  for (const part of line.split(', ')) (texts[part.replace(/=.*/, '')] ??= []).push(part.replace(/^[^=]*=/, ''))
  return texts
}

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
  { known, command, settings }: HuntSession,
  base: ScenarioSource,
  [faults, ...others]: readonly [FaultSet, ...FaultSet[]],
  failure: FoundFailure,
): FoundFailure {
  const words = wordsOf(command)
  const rulesOf = (set: FaultSet) => withFaults(base, set, known).faults!.slice(0, set.length)
  const { scenario, seed } = settings
  // The same finding has the same name when another hunt finds it again.
  const identity = `${failure.tokens[0] ?? failure.faults} ${words}`
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  const names = faults.map(({ fault }) => fault.replace(/;.*$/, ''))
  const file = join(HUNT_FOLDER, `${names.join('-')}-${hash}.yaml`)
  const repeat = { command, runOptions: runOptionsOf(settings) }
  const head = [
    `Found by api-mock. Under this scenario, ${words} fails.`,
    ...blockOf(failure, [], []).split('\n'),
    `Base scenario: ${scenario}`,
    ...repeatLines({ ...failure, file }, repeat),
    ...settingsLine(settings),
    `Command: ${words}`,
    ...others.map((set) => `Also: ${JSON.stringify(rulesOf(set).map(({ when, skip, times, ...fault }) => fault))}`),
  ]
  const source = { ...withFaults(base, faults, known), ...(seed !== undefined && { seed }) }
  try {
    mkdirSync(HUNT_FOLDER, { recursive: true })
    const comment = head.map((line) => `# ${escapeControls(line)}\n`).join('')
    writeFileSync(file, comment + stringify(source, { lineWidth: 0, aliasDuplicateObjects: false }))
    return { ...failure, file }
  } catch (error) {
    printError(`api-mock: Failed to write the scenario file: ${(error as Error).message}.`)
    return failure
  }
}

/** Reads the scenarios with the other faults of a file: its rules, each with another fault. */
export function readOthers(file: string, source: ScenarioSource): ScenarioSource[] {
  return [...file.matchAll(/^# Also: (.*)$/gm)].map(([, json = '']) => {
    const others = JSON.parse(json) as readonly SourceFault[]
    const [kept, base] = [source.faults!.slice(0, others.length), source.faults!.slice(others.length)]
    const rules = kept.map(({ when, skip, times }, index) => ({
      ...others[index]!,
      ...Object.fromEntries(Object.entries({ when, skip, times }).filter(([, value]) => value !== undefined)),
    }))
    return { ...source, faults: [...rules, ...base] }
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
