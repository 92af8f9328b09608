/** The fault options that a scenario can set next to a fault's name. */

import type { FaultOptionName } from '../../../generated/fault-types.ts'
import { faults } from '../../protocol/faults/fault-catalogue.ts'
import { parseCallCount } from '../compile/call-count.ts'

export type OptionName = Exclude<FaultOptionName, 'status'>

/** Every option of the catalogue but `status`, which a scenario writes as the fault itself: `fault: 418`. */
export const OPTION_NAMES = [...new Set(faults.flatMap(({ options }) => Object.keys(options)))]
  .filter((name) => name !== 'status')
  .sort() as OptionName[]

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

/** A rule without `after: 5 calls`, which is its schedule; `after: 3` is an option of the fault. */
export function withoutCallCount<Rule extends { readonly after?: unknown }>(rule: Rule): Rule {
  return parseCallCount(rule.after) === undefined ? rule : { ...rule, after: undefined }
}
