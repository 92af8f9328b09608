/** The settings of a hunt on which its verdicts depend: a replay needs them too, so tokens and scenario files keep them. */
import { goDuration } from '../../core/lib/text/duration.ts'
import { type HuntSettings, huntOptions } from './hunt-options.ts'

export type VerdictSettings = Pick<HuntSettings, 'fail-on' | 'speed' | 'run-timeout'>

/** Those that differ from the defaults, as texts. */
export const verdictTexts = (settings: VerdictSettings): Readonly<Record<string, string>> => ({
  ...(settings['fail-on'] !== 'exit' && { 'fail-on': settings['fail-on'] }),
  ...(settings.speed !== 1 && { speed: String(settings.speed) }),
  ...(settings['run-timeout'] !== undefined && { 'run-timeout': goDuration(settings['run-timeout']) }),
})

/**
 * The settings, with those of a finding in place of defaults.
 * @throws when a text is not allowed
 */
export function withVerdictTexts<Settings extends VerdictSettings>(
  settings: Settings,
  { 'fail-on': failOn = [], speed = [], 'run-timeout': runTimeout = [] }: Readonly<Record<string, readonly string[]>>,
): Settings {
  return {
    ...settings,
    ...(settings['fail-on'] === 'exit' &&
      failOn.length > 0 && { 'fail-on': huntOptions['fail-on'].read(failOn, 'fail-on') }),
    ...(settings.speed === 1 && speed.length > 0 && { speed: huntOptions.speed.read(speed, 'speed') }),
    'run-timeout': settings['run-timeout'] ?? huntOptions['run-timeout'].read(runTimeout, 'run-timeout'),
  }
}

/** The options with which `api-mock run` comes to the same verdict. It has no time limit. */
export const runOptionsOf = ({ 'fail-on': failOn, speed }: VerdictSettings): string[] => [
  ...(failOn === 'conduct' ? ['--conduct', 'strict'] : []),
  ...(speed === 1 ? [] : ['--speed', String(speed)]),
]

/** The comment of a scenario file with the settings: `Settings: fail-on=conduct, speed=10`. Nothing when all are defaults. */
export function settingsLine(settings: VerdictSettings): string[] {
  const texts = Object.entries(verdictTexts(settings)).map(([name, value]) => `${name}=${value}`)
  return texts.length === 0 ? [] : [`Settings: ${texts.join(', ')}`]
}

/** Reads them from the comments of a scenario file. */
export function readSettingsLine(file: string): Readonly<Record<string, readonly string[]>> {
  const [, line = ''] = /^# Settings: (.*)$/m.exec(file) ?? []
  return Object.fromEntries(line.split(', ').map((part) => [part.replace(/=.*/, ''), [part.replace(/^[^=]*=/, '')]]))
}
