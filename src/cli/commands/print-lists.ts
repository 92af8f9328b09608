/** `api-mock list`: the built-in scenarios, the faults or the models. */

import { goDuration } from '../../core/lib/text/duration.ts'
import { faults } from '../../core/protocol/faults/fault-catalogue.ts'
import { NUMBER_FORMS } from '../../core/protocol/faults/read-fault.ts'
import type { ModelSource, ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { builtInScenarios } from '../../generated/built-in.ts'
import { alignColumns } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { ListSettings } from '../args/command-options.ts'

/** Prints the list. */
export function list(settings: ListSettings): number {
  if (settings.faults && settings.models) throw new UsageError('Expected --faults or --models, got both.')
  let text = formatScenarios()
  if (settings.faults) text = formatFaults()
  else if (settings.models) text = formatModels()
  process.stdout.write(text)
  return 0
}

function formatScenarios(): string {
  const scenarios = Object.entries<ScenarioSource>(builtInScenarios)
  const width = Math.max(...scenarios.map(([name]) => name.length))
  const rows = scenarios.map(([name, { description }]) => `${name.padEnd(width)}  ${description}\n`)
  return `${rows.join('')}\nStart one: npx api-mock --scenario flaky. Write your own: npx api-mock init\n`
}

/** A row for each model: `gpt-4o  chat, responses  128000  16384  ...`. */
function formatModels(): string {
  const { models } = builtInScenarios.openai as ScenarioSource
  const head = ['model', 'endpoints', 'input', 'output', 'efforts', '$ per million in, out', 'shutdown']
  const rows = Object.entries(models!).map(
    ([name, { endpoint, unavailable, supports, prices, published, ...sizes }]) => {
      const endpoints = unavailable === undefined ? 'chat, responses' : ENDPOINTS_WITHOUT_CHAT[unavailable]
      const { contextTokens, inputTokens = contextTokens, maxOutputTokens } = sizes
      const { retires = '', replacement } = published ?? {}
      return [
        name,
        endpoint === 'embeddings' ? endpoint : endpoints,
        String(inputTokens ?? ''),
        String(maxOutputTokens ?? ''),
        (supports?.efforts ?? []).join(' '),
        prices === undefined ? '' : `${prices.input}, ${prices.output}`,
        replacement === undefined ? retires : `${retires} (${replacement})`,
      ]
    },
  )
  const hint =
    'Rules, dates and sources: docs/models.md. Move an app to one: npx api-mock rehearse --to gpt-6-luna -- npm test'
  return `${alignColumns([head, ...rows]).join('\n')}\n\n${hint}\n`
}

/** The endpoints of models that chat does not offer, by the reason. */
const ENDPOINTS_WITHOUT_CHAT: Readonly<Record<NonNullable<ModelSource['unavailable']>, string>> = {
  deprecated: 'none: gone',
  'responses-only': 'responses',
  'not-chat': 'responses',
  'other-endpoints': 'others',
}

const HOW_TO_USE_FAULTS = `
${Object.entries(NUMBER_FORMS)
  .map(([kind, form]) => `<${kind}> is ${form}.\n`)
  .join('')}
For one call, as a header:      x-mock-fault: rate-limit; retry-after=2s
In a scenario file:             faults: [{ fault: rate-limit, retryAfter: 2s, chance: 5% }]
A status from 400 to 599 works too: x-mock-fault: 503
`

/** A line for each fault, and a line for each of its options. */
function formatFaults(): string {
  const width = Math.max(...faults.map(({ name }) => name.length))
  const lines = faults.flatMap(({ name, summary, options }) => {
    const rows = Object.entries(options).map(([option, spec]) => {
      // As the header spells it: `retryAfter` is `retry-after`.
      const shown = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
      const form = spec.kind === 'choice' ? spec.of.join('|') : `<${spec.kind}>`
      const preset = spec.kind === 'duration' && spec.default !== undefined ? goDuration(spec.default) : spec.default
      const hint = preset === undefined ? '' : ` (default ${preset})`
      return `${' '.repeat(width + 4)}${shown}=${form}  ${spec.summary}${hint}\n`
    })
    return [`${name.padEnd(width)}  ${summary}\n`, ...rows]
  })
  return lines.join('') + HOW_TO_USE_FAULTS
}
