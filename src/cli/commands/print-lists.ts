/** `api-mock list`: the built-in scenarios, or the faults. */

import { goDuration } from '../../core/lib/text/duration.ts'
import type { Fault } from '../../core/protocol/faults/fault.ts'
import { faults } from '../../core/protocol/faults/fault-catalogue.ts'
import { NUMBER_FORMS } from '../../core/protocol/faults/read-fault.ts'
import type { ModelSource, ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { builtInScenarios } from '../../generated/built-in.ts'
import { alignColumns } from '../../terminal/text.ts'
import type { ListSettings } from '../args/command-options.ts'

/** Prints the list. */
export function list({ faults: isFaults, models: isModels }: ListSettings): number {
  if (isModels) return listModels()
  const scenarios = Object.entries<ScenarioSource>(builtInScenarios)
  const width = Math.max(...(isFaults ? faults : scenarios.map(([name]) => ({ name }))).map(({ name }) => name.length))
  const rows = isFaults
    ? faults.map((fault) => formatFault(fault, width))
    : scenarios.map(([name, { description }]) => `${name.padEnd(width)}  ${description}\n`)
  const hint = '\nStart one: api-mock --scenario flaky. Write your own: api-mock init\n'
  process.stdout.write(rows.join('') + (isFaults ? HOW_TO_USE : hint))
  return 0
}

/** Rows of `name  endpoints  limits  prices  shutdown`. */
function listModels(): number {
  const { models } = builtInScenarios.openai as ScenarioSource
  const rows = Object.entries(models!).map(([name, model]) => [name, ...modelCells(model)])
  const all = [['model', 'endpoints', 'input', 'output', 'efforts', '$ per million in, out', 'shutdown'], ...rows]
  process.stdout.write(
    `${alignColumns(all).join('\n')}\n\nRules, dates and sources: docs/models.md. Move an app to one: api-mock rehearse --to gpt-6-luna -- npm test\n`,
  )
  return 0
}

function modelCells({ endpoint = 'chat', unavailable, supports, prices, published, ...sizes }: ModelSource): string[] {
  const { contextTokens, inputTokens = contextTokens, maxOutputTokens } = sizes
  const endpoints = unavailable === undefined ? 'chat, responses' : UNAVAILABLE[unavailable]
  const { retires, replacement } = published ?? {}
  return [
    endpoint === 'embeddings' ? endpoint : endpoints,
    String(inputTokens ?? ''),
    String(maxOutputTokens ?? ''),
    (supports?.efforts ?? []).join(' '),
    prices === undefined ? '' : `${prices.input}, ${prices.output}`,
    retires === undefined ? '' : `${retires}${replacement === undefined ? '' : ` (${replacement})`}`,
  ]
}

const UNAVAILABLE: Readonly<Record<NonNullable<ModelSource['unavailable']>, string>> = {
  deprecated: 'none: gone',
  'responses-only': 'responses',
  'not-chat': 'responses',
  'other-endpoints': 'others',
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
    // As the header spells it.
    const shown = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const form = spec.kind === 'choice' ? spec.of.join('|') : `<${spec.kind}>`
    const preset = spec.kind === 'duration' && spec.default !== undefined ? goDuration(spec.default) : spec.default
    const hint = preset === undefined ? '' : ` (default ${preset})`
    return `${' '.repeat(width + 4)}${shown}=${form}  ${spec.summary}${hint}\n`
  })
  return `${name.padEnd(width)}  ${summary}\n${rows.join('')}`
}
