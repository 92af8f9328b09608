/**
 * The findings that a hunt keeps. A replay token is a set of faults as one word without spaces, which a shell takes as
 * it is, with the settings of the hunt that a replay needs. A scenario file has those settings in a comment.
 *
 * `k3f9x0a1b2c:every:cut:after=2,qq11:1:hang,seed=7`: the faults with call, attempt and options, then the settings.
 */
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { decodePercent } from '../../core/lib/text/bytes.ts'
import { goDuration } from '../../core/lib/text/duration.ts'
import { escapeControls, shorten } from '../../core/lib/text/wording.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { shellWord } from '../../terminal/text.ts'
import { faultFields, faultText } from '../search/fault-classes.ts'
import { type FaultSet, type PlannedFault, withFault } from '../search/fault-set.ts'
import { type KnownCalls, knownCall, withFaults } from '../search/known-calls.ts'
import { huntOptions, type SessionSettings } from './hunt-options.ts'
import { type FoundFailure, titleOf } from './hunt-report.ts'
import type { HuntSession } from './hunt-session.ts'

/** Settings as texts, each with its values. */
export type SettingTexts = Readonly<Record<string, readonly string[]>>

/** A token that was read. */
export interface ReplayToken {
  readonly faults: FaultSet
  readonly settings: SettingTexts
}

export function writeToken(faults: FaultSet, known: KnownCalls, settings: SettingTexts): string {
  const parts = faults.map(({ call, attempt, fault }) => {
    const options = faultText(faultFields(fault, knownCall(call, known))).split('; ')
    return [call, String(attempt), ...options].map(encode).join(':').replaceAll('%3D', '=')
  })
  const named = Object.entries(settings).flatMap(([name, values]) => values.map((one) => `${name}=${encode(one)}`))
  return [...parts, ...named].join(',')
}

/** @throws when the text is not a token */
export function readToken(token: string): ReplayToken {
  const faults: PlannedFault[] = []
  const settings: Record<string, string[]> = {}
  for (const part of token.split(',')) {
    const [name = '', value] = part.split('=')
    if (part.includes(':')) {
      const fault = readFault(part, token)
      const isTaken = withFault(faults, fault) === undefined
      if (isTaken) throw new Error('--replay: expected one fault for each attempt of a call, got two.')
      faults.push(fault)
    } else if (value !== undefined) settings[name] = [...(settings[name] ?? []), decodePercent(value)]
    else throw wrongToken(token)
  }
  if (faults.length === 0) throw wrongToken(token)
  return { faults, settings }
}

/** @throws when the text is not a token */
function readFault(part: string, token: string): PlannedFault {
  const [call = '', attempt = '', ...options] = part.split(':').map(decodePercent)
  if (!/^(?:every|from .* #\d+|[1-9]\d*)$/.test(attempt) || call === '' || !options[0]) throw wrongToken(token)
  return { call, attempt: (Number(attempt) || attempt) as PlannedFault['attempt'], fault: options.join('; ') }
}

const wrongToken = (token: string): Error =>
  new Error(`--replay: expected a token that api-mock hunt printed, got '${shorten(token)}'.`)

/** Leaves only letters, digits and signs that mean nothing to a shell. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    .replaceAll('%2F', '/')

/** The settings on which the verdict on a run depends. Scenario files keep them too. */
const VERDICT_SETTINGS = ['fail-on', 'speed', 'run-timeout', 'real-time'] as const
/** The settings that a replay needs besides the faults, to apply them to the same calls. */
const REPLAY_SETTINGS = ['scenario', 'seed', 'identity', 'ignore', ...VERDICT_SETTINGS] as const

const isDefault = (settings: SessionSettings, name: (typeof REPLAY_SETTINGS)[number]): boolean =>
  settings[name] === huntOptions[name].read([huntOptions[name].default ?? []].flat(), name)

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

/** The options with which `api-mock run` comes to the same verdict. It has no time limit. */
export const runOptionsOf = ({ 'fail-on': failOn, speed }: SessionSettings): string[] => [
  ...(failOn === 'conduct' ? ['--conduct', 'strict'] : []),
  ...(speed === 1 ? [] : ['--speed', String(speed)]),
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
  return Object.fromEntries(line.split(', ').map((part) => [part.replace(/=.*/, ''), [part.replace(/^[^=]*=/, '')]]))
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
