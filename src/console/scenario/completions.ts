/** What can be written at a position of a scenario, and what the word there means, by the JSON Schema of scenarios. */
import { type Context, findContext, ITEM, keysBelow, type Step } from './yaml-position.ts'

/** The parts of JSON Schema that scenario.schema.json uses and that are read here. */
export interface Schema {
  readonly description?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

export interface Completion {
  readonly label: string
  /** What is inserted. */
  readonly apply: string
  readonly kind: 'key' | 'value'
  /** What it means, in a sentence; '' if the schema does not say. */
  readonly info: string
  /** Whether it fits what is written beside it: an option of the fault that is named there. */
  readonly isLikely: boolean
}

export interface Completions {
  /** The start of the text that a completion replaces. */
  readonly from: number
  readonly options: readonly Completion[]
}

/**
 * The completions at a position; undefined where nothing can be completed.
 * @example completionsAt('validation: ', 12, schema) // strict, lenient
 */
export function completionsAt(text: string, position: number, schema: Schema): Completions | undefined {
  const context = findContext(text, position)
  if (context === undefined) return undefined
  const schemas = follow([schema], context.path)
  const keys = context.kind === 'key' ? completeKeys(schemas, context, text.slice(position)) : []
  const isItem = context.kind === 'value' || context.path.at(-1) === ITEM
  const values = isItem ? completeValues(schemas) : []
  const names = isItem ? completeNames(text, context) : []
  const options = [...keys, ...values, ...names]
  return options.length === 0 ? undefined : { from: context.from, options }
}

/** What the key at a position means, with the range of the key; undefined for anything else. */
export function describeAt(
  text: string,
  position: number,
  schema: Schema,
): { from: number; to: number; key: string; description: string } | undefined {
  const isWord = (at: number): boolean => /[\w$-]/.test(text[at] ?? '')
  let from = position
  let to = position
  while (isWord(from - 1)) from--
  while (isWord(to)) to++
  const key = text.slice(from, to)
  if (key === '' || !/^["']? *:(?:\s|$)/.test(text.slice(to, to + 4))) return undefined
  const context = findContext(text, from)
  if (context?.kind !== 'key') return undefined
  const found = follow([schema], [...context.path, key])
  const description = found.find((one) => one.description !== undefined)?.description
  return description === undefined ? undefined : { from, to, key, description }
}

/** The schemas of what is at a path: several where the schema allows several forms. */
function follow(schemas: readonly Schema[], path: readonly Step[]): Schema[] {
  return path.reduce<Schema[]>(
    (found, step) => found.flatMap((one) => expand(stepInto(one, step))),
    schemas.flatMap(expand),
  )
}

function stepInto({ properties, additionalProperties, items }: Schema, step: Step): Schema {
  if (step === ITEM) return items ?? {}
  if (properties !== undefined && Object.hasOwn(properties, step)) return properties[step]!
  return typeof additionalProperties === 'object' ? additionalProperties : {}
}

/** A schema and all its alternatives. */
function expand(schema: Schema): Schema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(expand)]
}

function completeKeys(schemas: readonly Schema[], { siblings, prefix }: Context, after: string): Completion[] {
  const found = new Map<string, Schema>()
  for (const { properties = {} } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      if (!found.has(name) && (!siblings.has(name) || name === prefix)) found.set(name, schema)
    }
  }
  const hasColon = /^[\w$-]*["']? *:/.test(after)
  const fault = siblings.get('fault')
  return [...found].map(([label, schema]) => {
    const info = schema.description ?? ''
    const isLikely = fault === undefined || fault === '' || !isFaultOption(info) || namesFault(info, fault)
    return { label, apply: hasColon ? label : `${label}: `, kind: 'key', info, isLikely }
  })
}

// Options of faults say whose they are: `a whole number from 0 (cut: the number of events; ...)`.
const isFaultOption = (info: string): boolean => /\([a-z]+(?:-[a-z]+)*(?:, [a-z-]+)*: /.test(info)
const namesFault = (info: string, fault: string): boolean =>
  new RegExp(`[(;,] ?${fault.replace(/[^\w-]/g, '')}[:,]`).test(info)

/** Where the names of states, models and keys are used: the parent and the key, and the map that defines them. */
const NAMES: Readonly<Record<string, string>> = {
  'when.state': 'states',
  'when.model': 'models',
  'when.key': 'keys',
  'states.next': 'states',
}

/** The names that the scenario itself defines and that fit here. */
function completeNames(text: string, { path, from }: Context): Completion[] {
  const steps = path.filter((step) => step !== ITEM)
  const parent = steps.at(-3) === 'states' && steps.length === 3 ? 'states' : steps.at(-2)
  const section = NAMES[`${parent}.${steps.at(-1)}`]
  if (section === undefined) return []
  const isQuoted = /["']/.test(text[from - 1] ?? '')
  return keysBelow(text, section).map((label) => {
    const apply = isQuoted || /^[A-Za-z][\w.*-]*$/.test(label) ? label : JSON.stringify(label)
    return { label, apply, kind: 'value', info: '', isLikely: true }
  })
}

function completeValues(schemas: readonly Schema[]): Completion[] {
  const values = new Set<string>()
  for (const { type, enum: words = [], const: only } of schemas) {
    for (const word of only === undefined ? words : [only, ...words]) values.add(String(word))
    if (type === 'boolean') for (const word of ['true', 'false']) values.add(word)
  }
  return [...values].map((label) => ({ label, apply: label, kind: 'value', info: '', isLikely: true }))
}
