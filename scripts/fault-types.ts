/** Renders the fault catalogue as TypeScript types with documentation: src/generated/fault-types.ts. */

import { goDuration } from '../src/core/lib/text/duration.ts'
import type { Fault, OptionSpec } from '../src/core/protocol/faults/fault.ts'
import { faults } from '../src/core/protocol/faults/fault-catalogue.ts'
import { optionForm } from '../src/core/protocol/faults/read-fault.ts'

const TYPES: Readonly<Record<OptionSpec['kind'], string>> = {
  duration: 'Duration | number',
  count: 'number',
  size: 'number',
  status: 'number',
  choice: '',
}

export function faultTypesModule(command: string): string {
  const statusFaults = faults.filter((fault) => fault.kind === 'answer' && fault.bareStatus !== undefined)
  return `/** The faults and their options as types. Made from fault-catalogue.ts by \`${command}\`; do not edit. */
import type { Duration } from '../core/lib/text/duration.ts'

type NoOptions = Record<never, never>

/** The options of each fault, by its name. */
export interface FaultOptionsByName {
${faults.map(faultProperty).join('')}}

/** The name of a fault. */
export type FaultName = keyof FaultOptionsByName

/** The faults that a bare status means, such as 429. */
type StatusFault =${['status', ...statusFaults.map(({ name }) => name)].map((name) => `\n  | '${name}'`).join('')}

/**
 * The options of a fault.
 * @example const options: FaultOptionsOf<'rate-limit'> = { retryAfter: '2s' }
 */
export type FaultOptionsOf<Name extends FaultName | number> = Name extends FaultName
  ? FaultOptionsByName[Name]
  : FaultOptionsByName[StatusFault]

/** The name of an option of some fault. */
export type FaultOptionName = { [Name in FaultName]: keyof FaultOptionsByName[Name] }[FaultName]
`
}

function faultProperty({ name, summary, options }: Fault): string {
  const rows = Object.entries(options).map(
    ([option, spec]) => `    /** ${optionText(spec)} */\n    readonly ${option}?: ${typeOf(spec)} | undefined\n`,
  )
  const type = rows.length === 0 ? 'NoOptions' : `{\n${rows.join('')}  }`
  return `  /** ${summary} */\n  readonly ${/\W/.test(name) ? `'${name}'` : name}: ${type}\n`
}

const typeOf = (spec: OptionSpec): string =>
  spec.kind === 'choice' ? spec.of.map((value) => `'${value}'`).join(' | ') : TYPES[spec.kind]

function optionText(spec: OptionSpec): string {
  const shown = spec.kind === 'duration' ? goDuration(spec.default ?? 0) : spec.default
  const summary = `${spec.summary.charAt(0).toUpperCase()}${spec.summary.slice(1)}`
  return `${summary}: ${optionForm(spec)}.${spec.default === undefined ? '' : ` Default: ${shown}.`}`
}
