/** The tables of docs/ that repeat what the code says: scenarios and their fields, faults, errors, commands. */

import { COMMANDS, type Command } from '../../src/cli/args/command-table.ts'
import { variableOf } from '../../src/cli/args/environment.ts'
import { goDuration } from '../../src/core/lib/text/duration.ts'
import { type ErrorName, errorKinds } from '../../src/core/protocol/errors/error-catalogue.ts'
import type { Fault } from '../../src/core/protocol/faults/fault.ts'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import type { ModelSource } from '../../src/core/scenario/scenario-source.ts'
import { FAULT_CLASSES } from '../../src/hunt/search/fault-classes.ts'
import { exampleOf } from './error-examples.ts'
import { factRows, modelRows, unavailableRows } from './models-table.ts'
import { PACE_MEASUREMENTS } from './pace-sources.ts'

/** The part of a JSON Schema that the tables read. */
export interface FieldSchema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly items?: FieldSchema
  readonly additionalProperties?: FieldSchema | boolean
}

/** Sources of the tables, besides the catalogues. */
export interface TableSources {
  readonly scenarios: Readonly<
    Record<
      string,
      { readonly description?: string | undefined; readonly models?: Readonly<Record<string, ModelSource>> | undefined }
    >
  >
  readonly schema: FieldSchema
}

/** Every table by its name, in Markdown. */
export function buildTables({ scenarios, schema }: TableSources): Readonly<Record<string, string>> {
  const models = scenarios.openai!.models!
  const { head, rows } = modelRows(models)
  const facts = factRows(models)
  const field = (...path: string[]): FieldSchema => path.reduce(childOf, schema)
  return {
    scenarios: tableOf(
      ['scenario', 'what it shows'],
      Object.entries(scenarios).map(([name, { description = '' }]) => [code(name), description]),
    ),
    faults: tableOf(
      ['fault', 'kind', 'what it does', 'options'],
      faults.map(({ name, kind, summary, options }) => [code(name), kind, summary, describeOptions(options)]),
    ),
    'fault-classes': tableOf(
      ['class', 'what happens to the call'],
      Object.entries(FAULT_CLASSES).map(([name, { about }]) => [code(name), about]),
    ),
    errors: tableOf(['status', 'type', 'code', 'when', 'example'], errorRows()),
    fields: fieldTable(schema),
    conditions: fieldTable(field('replies', 'when')),
    'reply-fields': fieldTable(field('replies')),
    'answer-fields': fieldTable(field('replies', 'answer')),
    'fault-fields': fieldTable(field('faults')),
    'limit-fields': fieldTable(field('limits')),
    'budget-fields': fieldTable(field('budget')),
    'price-fields': fieldTable(field('models', 'prices')),
    'key-fields': fieldTable(field('keys')),
    'model-fields': fieldTable(field('models')),
    models: tableOf(head, rows),
    'model-facts': tableOf(facts.head, facts.rows),
    'unavailable-models': tableOf(['message of the 404', 'models'], unavailableRows(models)),
    'pace-fields': fieldTable(field('pace')),
    'pace-profiles': tableOf(
      ['profile', 'what was measured', 'date and source'],
      Object.entries(PACE_MEASUREMENTS).map(([name, { summary, measured, source }]) => [
        code(name),
        summary,
        `[${measured}](${source})`,
      ]),
    ),
    'state-fields': fieldTable(field('states')),
    'expect-fields': fieldTable(field('expect')),
    commands: COMMANDS.map(describeCommand).join('\n\n'),
  }
}

/** A page with the text between each `<!-- name -->` and `<!-- /name -->` replaced by the table of that name. */
export function insertTables(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce(
    (text, [name, table]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`),
        (_, start: string, end: string) => `${start}${table}\n${end}`,
      ),
    page,
  )
}

/** The schema of a field; of a list or a map, the schema of its values. */
function childOf(schema: FieldSchema, name: string): FieldSchema {
  const child = itemOf(schema).properties?.[name]
  if (child === undefined) throw new Error(`The scenario grammar has no field '${name}'.`)
  return child
}

function itemOf(schema: FieldSchema): FieldSchema {
  const alternatives = (schema as { anyOf?: FieldSchema[] }).anyOf ?? []
  const { items = alternatives.find((one) => one.items !== undefined)?.items, additionalProperties } = schema
  if (items !== undefined) return items
  return typeof additionalProperties === 'object' ? additionalProperties : schema
}

const faultNames = `(${faults.map(({ name }) => name).join(', ')})`
const faultOptions = new Set(faults.flatMap(({ options }) => Object.keys(options)))

function fieldTable(schema: FieldSchema): string {
  const { properties } = itemOf(schema)
  if (properties === undefined) throw new Error('A table of fields needs an object with fields.')
  const rows = Object.entries(properties)
    .filter(([name]) => !faultOptions.has(name) || properties.fault === undefined)
    .map(([name, { description = '' }]) => [
      code(name),
      description.replace(faultNames, '(see [all faults](faults.md#all-faults))'),
    ])
  return tableOf(['field', 'meaning'], rows)
}

function describeOptions(options: Fault['options']): string {
  const described = Object.entries(options).map(([name, spec]) => {
    const choices = spec.kind === 'choice' ? ` (${spec.of.join(', ')})` : ''
    const preset = spec.kind === 'duration' && spec.default !== undefined ? goDuration(spec.default) : spec.default
    return `${code(name)}${choices}: ${spec.summary}${preset === undefined ? '' : ` (default ${preset})`}`
  })
  return described.join('; ')
}

function errorRows(): string[][] {
  return (Object.keys(errorKinds) as ErrorName[]).map((name) => {
    const {
      status = 400,
      type,
      code: errorCode,
    } = errorKinds[name] as (typeof errorKinds)[ErrorName] & {
      type?: string
      code?: string
    }
    const { when, provoke } = exampleOf(name)
    const statusText = typeof status === 'number' ? String(status) : '4xx, 5xx'
    return [statusText, type ? code(type) : '', errorCode ? code(errorCode) : 'null', when, code(provoke)]
  })
}

function describeCommand(command: Command): string {
  const { name, summary, argument, takesCommand, ignoresVariables, options, examples, notes } = command
  const program = name === 'start' ? 'api-mock' : `api-mock ${name}`
  const usage = [program, '[options]', argument?.form ?? '', takesCommand ? '-- <command>' : ''].filter(Boolean)
  const rows = Object.entries(options).map(([option, { summary, isRequired, default: preset, hasVariable = true }]) => [
    code(`--${option}`),
    summary,
    isRequired ? 'required' : preset === undefined ? '' : code(preset),
    hasVariable && !ignoresVariables ? code(variableOf(option)) : '',
  ])
  return [
    `## ${program}`,
    `${summary}: ${code(usage.join(' '))}`,
    ...(argument === undefined ? [] : [`${code(argument.form)}: ${argument.summary}.`]),
    ...(rows.length === 0 ? [] : [tableOf(['option', 'meaning', 'default', 'variable'], rows)]),
    ...(notes === undefined ? [] : [notes]),
    tableOf(
      ['example', 'what it does'],
      examples.map(([line, what]) => [code(line), what]),
    ),
  ].join('\n\n')
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n')
}

const code = (text: string): string => `\`${text}\``
const escapeCell = (text: string): string => text.replaceAll('|', '\\|')
