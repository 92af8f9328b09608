/**
 * Completions at a position of a scenario, and explanations of its keys, by the JSON Schema of scenarios.
 *
 * codemirror-json-schema would make the editor 2.4 times as large (gzipped 329 kB instead of 139), and of 33 positions in
 * YAML that the tests try it completes 6.
 */
import type { Completion, CompletionResult } from '@codemirror/autocomplete'
import { findKey, findPosition, ITEM, type PathStep, type YamlPosition } from './yaml-position.ts'

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

/**
 * The completions at a position; undefined where nothing can be completed.
 * @example completionsAt('validation: ', 12, schema) // strict, lenient
 */
export function completionsAt(text: string, position: number, schema: ScenarioSchema): CompletionResult | undefined {
  const found = findPosition(text, position)
  if (found === undefined) return undefined
  const { kind, path, from } = found
  const schemas = follow(schema, path)
  const options: Completion[] = []
  if (kind === 'key') options.push(...completeKeys(schemas, found, text.slice(position)))
  if (kind === 'value' || path.at(-1) === ITEM) options.push(...completeValues(schemas, found))
  return options.length === 0 ? undefined : { from, options, validFor: /^[\w$-]*$/ }
}

/** The meaning of the key at a position, with the range of the key; undefined for anything else. */
export function describeAt(text: string, position: number, schema: ScenarioSchema) {
  const found = findKey(text, position)
  if (found === undefined) return undefined
  const { path, ...place } = found
  const description = follow(schema, [...path, place.key]).find((one) => one.description !== undefined)?.description
  return description === undefined ? undefined : { ...place, description }
}

/** The schemas at a path: several where the schema allows several forms. */
function follow(schema: ScenarioSchema, path: readonly PathStep[]): ScenarioSchema[] {
  const expand = (one: ScenarioSchema): ScenarioSchema[] => {
    const { anyOf = [], oneOf = [], allOf = [] } = one
    return [one, ...[...anyOf, ...oneOf, ...allOf].flatMap(expand)]
  }
  let found = expand(schema)
  for (const step of path) {
    found = found.flatMap(({ properties = {}, additionalProperties, items }) => {
      if (step === ITEM) return items === undefined ? [] : expand(items)
      if (Object.hasOwn(properties, step)) return expand(properties[step]!)
      return typeof additionalProperties === 'object' ? expand(additionalProperties) : []
    })
  }
  return found
}

function completeKeys(schemas: readonly ScenarioSchema[], { siblings }: YamlPosition, after: string): Completion[] {
  const found = new Map<string, ScenarioSchema>()
  for (const { properties = {} } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      if (!found.has(name) && !siblings.has(name)) found.set(name, schema)
    }
  }
  const hasColon = /^[\w$-]*["']? *:/.test(after)
  const fault = siblings.get('fault')?.replace(/[^\w-]/g, '') ?? ''
  return [...found].map(([label, { description: info = '' }]) => {
    // Options of faults say whose they are: `a whole number from 0 (cut: the number of events; ...)`.
    const isFaultOption = /\([a-z]+(?:-[a-z]+)*(?:, [a-z-]+)*: /.test(info)
    const isLikely = fault === '' || !isFaultOption || new RegExp(`[(;,] ?${fault}[:,]`).test(info)
    const apply = hasColon ? label : `${label}: `
    return { label, apply, type: 'property', ...(info !== '' && { info }), boost: isLikely ? 0 : -50 }
  })
}

/** The uses of the names of states, models and keys: the parent and the key, and the map that defines them. */
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
  const steps = path.filter((step) => step !== ITEM)
  const parent = steps.at(-3) === 'states' && steps.length === 3 ? 'states' : steps.at(-2)
  const section = NAMES[`${parent}.${steps.at(-1)}`]
  const names = section === undefined ? [] : keysOf(section)
  return [
    ...[...new Set(values.map(String))].map((label) => ({ label, type: 'constant' })),
    ...names.map((label) => {
      const isPlain = isQuoted || /^[A-Za-z][\w.*-]*$/.test(label)
      return { label, apply: isPlain ? label : JSON.stringify(label), type: 'constant' }
    }),
  ]
}
