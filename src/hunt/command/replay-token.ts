/**
 * Replay tokens: a set of faults as one word without spaces, which a shell takes as it is, and the settings of the hunt
 * that a replay needs. Scenario files have those settings in a comment.
 *
 * `k3f9x0a1b2c:every:cut:after=2,qq11:1:hang,seed=7`: the faults with call, attempt and options, then the settings.
 */
import { goDuration } from '../../core/lib/text/duration.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import { faultFields, faultText } from '../search/fault-classes.ts'
import { type FaultSet, type PlannedFault, withFault } from '../search/fault-set.ts'
import { type KnownCalls, knownCall } from '../search/known-calls.ts'
import { huntOptions, type SessionSettings } from './hunt-options.ts'

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
    } else if (value !== undefined) settings[name] = [...(settings[name] ?? []), decode(value)]
    else throw wrongToken(token)
  }
  if (faults.length === 0) throw wrongToken(token)
  return { faults, settings }
}

/** @throws when the text is not a token */
function readFault(part: string, token: string): PlannedFault {
  const [call = '', attempt = '', ...options] = part.split(':').map(decode)
  if (!/^(?:every|[1-9]\d*)$/.test(attempt) || call === '' || !options[0]) throw wrongToken(token)
  return { call, attempt: attempt === 'every' ? attempt : Number(attempt), fault: options.join('; ') }
}

const wrongToken = (token: string): Error =>
  new Error(`--replay: expected a token that api-mock hunt printed, got '${shorten(token)}'.`)

/** Leaves only letters, digits and signs that mean nothing to a shell. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    .replaceAll('%2F', '/')

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The settings on which the verdict on a run depends. Scenario files keep them too. */
const VERDICT_SETTINGS = ['fail-on', 'speed', 'run-timeout'] as const
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
