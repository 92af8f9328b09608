/** The options that may stand beside a fault's name in a scenario, written out so that the type of a scenario has them. */

/** Every option of the catalogue but `status`, which is written as the fault itself; a test holds the two together. */
export const OPTION_NAMES = [
  'after',
  'before',
  'body',
  'bytes',
  'end',
  'event',
  'inside',
  'interval',
  'rate',
  'retryAfter',
  'shouldRetry',
  'size',
] as const

export type OptionName = (typeof OPTION_NAMES)[number]

/** The options among the settings of a rule or key. */
export function optionsOf(
  settings: Readonly<{ [Name in OptionName]?: string | number | undefined }>,
): Partial<Record<OptionName, string | number>> {
  const options: Partial<Record<OptionName, string | number>> = {}
  for (const name of OPTION_NAMES) {
    const value = settings[name]
    if (value !== undefined) options[name] = value
  }
  return options
}
