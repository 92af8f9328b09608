/** The table of docs/models.md: the models of the scenario `openai`, one row for those with the same settings. */

import type { ModelSource } from '../../src/core/scenario/scenario-source.ts'

type Models = Readonly<Record<string, ModelSource>>

/** A column: its head, the settings that `uncertain` may name for it, and its text. */
interface Column {
  readonly head: string
  readonly settings: readonly string[]
  readonly read: (model: ModelSource) => string
}

const number = (value: number | undefined): string => (value === undefined ? '' : value.toLocaleString('en-US'))
const list = (values: readonly string[] = []): string => values.join(', ')

const COLUMNS: readonly Column[] = [
  { head: 'answers as', settings: ['snapshot'], read: ({ snapshot = '' }) => snapshot },
  {
    head: 'efforts (default)',
    settings: ['effort', 'supports.efforts'],
    read: ({ reasoning, effort = 'medium', supports: { efforts, responsesEfforts } = {} }) =>
      efforts?.length && reasoning
        ? `${list(efforts)} (${effort})${responsesEfforts ? `; in /v1/responses ${list(responsesEfforts)}` : ''}`
        : '',
  },
  {
    head: 'refuses',
    settings: ['supports.without'],
    read: ({ reasoning, supports: { without, onlyDefault, never, unknown } = {} }) =>
      list([
        ...(reasoning ? ['max_tokens'] : []),
        ...(onlyDefault ?? []),
        ...(without ?? []),
        ...(never ?? []),
        ...(unknown ?? []),
      ]),
  },
  {
    head: 'takes at effort none',
    settings: ['supports.atEffortNone'],
    read: ({ supports }) => list(supports?.atEffortNone),
  },
  {
    head: 'logprobs',
    settings: ['supports.forbidden'],
    read: ({ reasoning, logprobsKey = !reasoning, supports }) =>
      supports?.forbidden ? '403' : logprobsKey ? 'null unless asked for' : 'no key unless asked for',
  },
  {
    head: 'function tools',
    settings: ['supports.functionTools'],
    read: ({ supports }) => (supports?.tools === false ? '404' : (supports?.functionTools ?? 'always')),
  },
  {
    head: 'context, input, output',
    settings: ['contextTokens', 'inputTokens', 'maxOutputTokens'],
    read: ({ contextTokens, inputTokens, maxOutputTokens }) =>
      `${number(contextTokens) || '-'}, ${number(inputTokens) || '-'}, ${number(maxOutputTokens) || '-'}`,
  },
  {
    head: 'tokens of an image',
    settings: ['images'],
    read: ({ images, supports }) => {
      if (supports?.images === false) return 'takes none'
      const { base, tile } = { base: 85, tile: 170, ...images } as { base: number; tile: number }
      if (images === undefined || 'base' in images) return `${base} + ${tile} for each tile`
      const { patches, plus = 0, most } = images
      return `${patches} for each patch${plus === 0 ? '' : ` + ${plus}`}${most === undefined ? '' : `, at most ${most}`}`
    },
  },
]

/** The models that can be asked, one row for those with equal settings. */
export function modelRows(models: Models): { readonly head: string[]; readonly rows: string[][] } {
  const names = new Map<string, { model: ModelSource; names: string[] }>()
  for (const [name, model] of Object.entries(models)) {
    if (model.endpoint !== 'chat' || model.unavailable !== undefined) continue
    const { prices: _, published: __, ...settings } = model
    const key = JSON.stringify(settings)
    const row = names.get(key) ?? { model, names: [] }
    row.names.push(`\`${name}\`${model.uncertain?.includes('unavailable') ? ' [?]' : ''}`)
    names.set(key, row)
  }
  const rows = [...names.values()].map(({ model, names }) => [
    list(names),
    ...COLUMNS.map((column) => `${column.read(model)}${isUncertain(model, column) ? ' [?]' : ''}`),
  ])
  return { head: ['model', ...COLUMNS.map(({ head }) => head)], rows }
}

const isUncertain = ({ uncertain = [] }: ModelSource, { settings }: Column): boolean =>
  uncertain.some((setting) => setting === 'all' || settings.includes(setting.split(' ')[0]!))

/** Prices, shutdown and source of each model, one row for those with equal ones. */
export function factRows(models: Models): { readonly head: string[]; readonly rows: string[][] } {
  const rows = new Map<string, { names: string[]; cells: string[] }>()
  for (const [name, { prices, published = {} }] of Object.entries(models)) {
    const { input, cachedInput, output } = prices ?? {}
    const cells = [
      prices === undefined ? '' : `${input}, ${cachedInput ?? '-'}, ${output} (${published.prices})`,
      published.retires === undefined ? '' : published.retires,
      published.replacement === undefined ? '' : `\`${published.replacement}\``,
      published.rules ?? '',
    ]
    const key = cells.join('|')
    const row = rows.get(key) ?? { names: [], cells }
    row.names.push(`\`${name}\``)
    rows.set(key, row)
  }
  const head = [
    'model',
    '$ for a million input, cached input, output (read on)',
    'shutdown',
    'replacement',
    'source of the rules',
  ]
  return { head, rows: [...rows.values()].map(({ names, cells }) => [list(names), ...cells]) }
}

const REASONS: readonly (readonly [ModelSource['unavailable'], string])[] = [
  ['responses-only', 'This model is only supported in v1/responses and not in v1/chat/completions.'],
  ['not-chat', 'This is not a chat model and thus not supported in the v1/chat/completions endpoint. ...'],
  ['other-endpoints', 'The same, and a 400 in v1/responses: `The requested model ... does not exist.`'],
  ['deprecated', 'The model `...` has been deprecated, ...'],
]

/** The models whose chats are a 404, by the message. */
export const unavailableRows = (models: Models): string[][] =>
  REASONS.map(([reason, message]) => {
    const found = Object.entries(models).filter(([, { unavailable }]) => unavailable === reason)
    const names = found.map(([name, { uncertain }]) => `\`${name}\`${uncertain === undefined ? '' : ' [?]'}`)
    return [message, list(names)]
  })
