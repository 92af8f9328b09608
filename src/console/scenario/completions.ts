/**
 * Completions at a position of a scenario, and explanations of its keys, by the JSON Schema of scenarios: at the mark in
 * `limits: { ¦` they are the keys `requests`, `tokens`, …, and at `validation: ¦` the values `strict` and `lenient`.
 *
 * codemirror-json-schema would make the editor 2.4 times as large (gzipped 329 kB instead of 139), and of 33 positions in
 * YAML that the tests try it completes 6.
 */
import type { Completion, CompletionResult } from '@codemirror/autocomplete'
import { findPosition, ITEM, type PathStep, type YamlPosition } from './yaml-position.ts'

/** The parts of JSON Schema that scenario.schema.json uses and that are read here. */
export interface ScenarioSchema {
  readonly description?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, ScenarioSchema>>
  readonly additionalProperties?: ScenarioSchema | boolean
  readonly items?: ScenarioSchema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly ScenarioSchema[]
  readonly oneOf?: readonly ScenarioSchema[]
  readonly allOf?: readonly ScenarioSchema[]
}

/** The completions at a position; undefined where nothing can be completed. */
export function completionsAt(text: string, position: number, schema: ScenarioSchema): CompletionResult | undefined {
  const place = findPosition(text, position)
  if (place === undefined) return undefined
  const { isValue, path, from } = place
  const schemas = findSchemas(schema, path)
  const options: Completion[] = []
  if (!isValue) options.push(...completeKeys(schemas, place, text.slice(position)))
  // An item of a list may be a value, or a map with keys.
  if (isValue || path.at(-1) === ITEM) options.push(...completeValues(schemas, place))
  return options.length === 0 ? undefined : { from, options, validFor: /^[\w$-]*$/ }
}

/** The meaning of the key at a position, with the range of the key; undefined for anything else. */
export function describeAt(text: string, position: number, schema: ScenarioSchema) {
  const from = position - /[\w$-]{0,100}$/.exec(text.slice(0, position))![0].length
  const to = position + /^[\w$-]*/.exec(text.slice(position))![0].length
  const key = text.slice(from, to)
  const place = findPosition(text, to)
  if (place === undefined || place.isValue) return undefined
  const schemas = findSchemas(schema, [...place.path, key])
  const description = schemas.map((each) => each.description).find((each) => each !== undefined)
  return description === undefined ? undefined : { key, from, to, description }
}

/** The schemas at a path: several where the schema allows several forms, none where it allows nothing. */
function findSchemas(top: ScenarioSchema, path: readonly PathStep[]): ScenarioSchema[] {
  let schemas = listForms(top)
  for (const step of path) {
    schemas = schemas.flatMap(({ properties = {}, additionalProperties, items }) => {
      if (step === ITEM) return items === undefined ? [] : listForms(items)
      if (Object.hasOwn(properties, step)) return listForms(properties[step]!)
      return typeof additionalProperties === 'object' ? listForms(additionalProperties) : []
    })
  }
  return schemas
}

/** A schema with those that it is combined from. */
function listForms(schema: ScenarioSchema): ScenarioSchema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(listForms)]
}

/** The keys that a map may have and does not have yet. @param after the text after the position. */
function completeKeys(schemas: readonly ScenarioSchema[], { siblings }: YamlPosition, after: string): Completion[] {
  const offered = new Map<string, ScenarioSchema>()
  for (const { properties = {} } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      if (!offered.has(name) && !siblings.has(name)) offered.set(name, schema)
    }
  }
  const hasColon = /^[\w$-]*["']? *:/.test(after)
  const fault = siblings.get('fault')?.replace(/[^\w-]/g, '') ?? ''
  return [...offered].map(([label, { description: info = '' }]) => {
    const apply = hasColon ? label : `${label}: `
    const isLikely = fault === '' || mayBelongTo(fault, info)
    return { label, apply, type: 'property', ...(info !== '' && { info }), boost: isLikely ? 0 : -50 }
  })
}

/**
 * False for an option of other faults, by its description: `a whole number from 0 (cut: the number of events; stall: …)`
 * belongs to `cut` and `stall`. A description without names of faults belongs to any.
 */
function mayBelongTo(fault: string, description: string): boolean {
  const isFaultOption = /\([a-z]+(?:-[a-z]+)*(?:, [a-z-]+)*: /.test(description)
  return !isFaultOption || new RegExp(`[(;,] ?${fault}[:,]`).test(description)
}

/** The places of values that are names of the scenario, as parent and key; and the maps that define the names. */
const NAMES: Readonly<Record<string, string>> = {
  'when.state': 'states',
  'when.model': 'models',
  'when.key': 'keys',
  'states.next': 'states',
}

/** The values that the schema allows, and the names that the scenario itself defines and that fit here. */
function completeValues(schemas: readonly ScenarioSchema[], { path, isQuoted, keysOf }: YamlPosition): Completion[] {
  const values = schemas.flatMap(({ type, enum: words = [], const: only = [] }) =>
    [only, words, type === 'boolean' ? [true, false] : []].flat(),
  )
  const keys = path.filter((step) => step !== ITEM)
  // In `states.down.next`, `down` is the name of a state: the parent is `states`.
  const parent = keys[0] === 'states' && keys.length === 3 ? 'states' : keys.at(-2)
  const section = NAMES[`${parent}.${keys.at(-1)}`]
  const names = section === undefined ? [] : keysOf(section)
  return [
    ...[...new Set(values.map(String))].map((label) => ({ label, type: 'constant' })),
    ...names.map((label) => {
      const isPlain = isQuoted || /^[A-Za-z][\w.*-]*$/.test(label)
      return { label, apply: isPlain ? label : JSON.stringify(label), type: 'constant' }
    }),
  ]
}
