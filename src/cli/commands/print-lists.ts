/** `api-mock list`: the built-in scenarios, or the faults. */

import { goDuration } from '../../core/lib/text/duration.ts'
import type { Fault, OptionSpec } from '../../core/protocol/faults/fault.ts'
import { faults } from '../../core/protocol/faults/fault-catalogue.ts'
import { NUMBER_FORMS } from '../../core/protocol/faults/read-fault.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { builtInScenarios } from '../../generated/built-in.ts'
import type { ListSettings } from '../args/command-options.ts'

export function list({ faults: isFaults }: ListSettings): number {
  process.stdout.write(isFaults ? formatFaults() : formatScenarios())
  return 0
}

function formatScenarios(): string {
  const scenarios = Object.entries<ScenarioSource>(builtInScenarios)
  const width = Math.max(...scenarios.map(([name]) => name.length))
  const rows = scenarios.map(([name, { description }]) => `${name.padEnd(width)}  ${description}\n`)
  return `${rows.join('')}\nStart one: api-mock --scenario flaky. Write your own: api-mock init\n`
}

function formatFaults(): string {
  const width = Math.max(...faults.map(({ name }) => name.length))
  return `${faults.map((fault) => formatFault(fault, width)).join('')}${HOW_TO_USE}`
}

const HOW_TO_USE = `
${Object.entries(NUMBER_FORMS)
  .map(([kind, form]) => `<${kind}> is ${form}.\n`)
  .join('')}
For one call, as a header:      x-mock-fault: rate-limit; retry-after=2s
In a scenario file:             faults: [{ fault: rate-limit, retryAfter: 2s, chance: 5% }]
A status from 400 to 599 works too: x-mock-fault: 503
`

function formatFault({ name, summary, options }: Fault, width: number): string {
  const rows = Object.entries(options).map(([option, spec]) => {
    const form = spec.kind === 'choice' ? spec.of.join('|') : `<${spec.kind}>`
    return `${' '.repeat(width + 4)}${kebabCase(option)}=${form}  ${spec.summary}${formatDefault(spec)}\n`
  })
  return `${name.padEnd(width)}  ${summary}\n${rows.join('')}`
}

function formatDefault(spec: OptionSpec): string {
  if (spec.default === undefined) return ''
  return ` (default ${spec.kind === 'duration' ? goDuration(spec.default) : spec.default})`
}

/** Options are shown as the header spells them. */
const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
