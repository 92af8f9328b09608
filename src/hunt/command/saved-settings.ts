/**
 * The settings of a hunt that are saved in replay tokens, and in scenario files without tokens, so that a replay comes to the
 * same verdict. Settings that have their defaults are left out: `--fail-on conduct --speed 10` is
 * `{ 'fail-on': ['conduct'], speed: ['10'] }`, and as a comment `Settings: fail-on=conduct, speed=10`.
 */
import { goDuration } from '../../core/lib/text/duration.ts'
import type { SettingTexts } from '../fault-token.ts'
import { huntOptions, type SessionSettings } from './hunt-options.ts'
import { checksOf } from './judge-run.ts'

/** The settings on which the verdict on a run depends. */
const VERDICT_SETTINGS = [
  'fail-on',
  'speed',
  'run-timeout',
  'real-time',
  'whole-or-error',
  'once',
  'max-calls',
] as const
/** The settings that a replay needs besides the faults: to apply them to the same calls, and for the same verdict. */
const REPLAY_SETTINGS = ['scenario', 'seed', 'identity', 'ignore', ...VERDICT_SETTINGS] as const

/** The settings that a replay needs, where they differ from the defaults. */
export function settingTexts(settings: SessionSettings): SettingTexts {
  const texts = REPLAY_SETTINGS.filter((name) => !isDefault(settings, name)).map((name) => {
    const values = [settings[name] ?? []].flat()
    // Its option reads a duration, and has its value in milliseconds.
    return [name, values.map((value) => (name === 'run-timeout' ? goDuration(Number(value)) : String(value)))]
  })
  return Object.fromEntries(texts)
}

/** The settings, with those of a finding in place of defaults. What is ignored adds up. @throws when a text is not allowed */
export function withSettingTexts<Settings extends SessionSettings>(settings: Settings, texts: SettingTexts): Settings {
  const own = REPLAY_SETTINGS.filter((name) => name !== 'ignore' && texts[name] && isDefault(settings, name))
  return {
    ...settings,
    ...Object.fromEntries(own.map((name) => [name, huntOptions[name].read(texts[name]!, name)])),
    ignore: [...settings.ignore, ...huntOptions.ignore.read(texts.ignore ?? [], 'ignore')],
  }
}

/** Compares texts, as the option has its default. Without one, the value is false, an empty list or left out. */
const isDefault = (settings: SessionSettings, name: (typeof REPLAY_SETTINGS)[number]): boolean =>
  String(settings[name] || '') === (huntOptions[name].default ?? '')

/** The options with which `api-mock run` comes to the same verdict; undefined for properties, which it does not check. */
export function runOptionsOf(settings: SessionSettings): string[] | undefined {
  if (checksOf(settings).length > 0) return undefined
  return [
    ...(settings['fail-on'] === 'conduct' ? ['--conduct', 'strict'] : []),
    ...(settings.speed === 1 ? [] : ['--speed', String(settings.speed)]),
  ]
}

/** The comment of a scenario file with the settings: `Settings: fail-on=conduct, speed=10`. Nothing when all are defaults. */
export function settingsLine(settings: SessionSettings): string[] {
  const texts = settingTexts(settings)
  const parts = VERDICT_SETTINGS.flatMap((name) => texts[name]?.map((text) => `${name}=${text}`) ?? [])
  return parts.length === 0 ? [] : [`Settings: ${parts.join(', ')}`]
}

/** Reads the settings from the comments of a scenario file. */
export function readSettingsLine(file: string): SettingTexts {
  const [, line] = /^# Settings: (.*)$/m.exec(file) ?? []
  const texts: Record<string, string[]> = {}
  for (const part of line?.split(', ') ?? []) {
    const [name = '', ...values] = part.split('=')
    texts[name] = [...(texts[name] ?? []), values.join('=')]
  }
  return texts
}
