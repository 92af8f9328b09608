/** An object: which properties it has, and what each of them must be. */

import { define, own, pointerStep, type Schema, type SchemaObject, SchemaProblem, Unsatisfied } from '../schema.ts'
import { equalityKey } from '../validate/equality.ts'
import { schemasOfProperty } from '../validate/validate-object.ts'
import type { Choices } from './choices.ts'
import { propertyName } from './name-values.ts'
import type { Maker, Task } from './task.ts'

// How many optional properties a readable object has at most, unless it must have more.
const MANY = 24
const MAX_PROPERTIES = 5000
const OPEN_NAMES_TRIES = 40

/** Throws `Unsatisfied` when a required property can't be made. */
export function makeObject(maker: Maker, parts: readonly SchemaObject[], task: Task, choices: Choices): unknown {
  const { path, isEnding } = task
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? (part.required as string[]) : [])))
  const [min, max] = countsOf(parts, path)
  const value: Record<string, unknown> = {}
  const made = new Set<string>()
  const order: string[] = []

  const add = (name: string): void => {
    if (made.has(name)) return
    const propertyPath = `${path}/properties/${pointerStep(name)}`
    if (!isNameAllowed(maker, parts, name)) {
      throw new Unsatisfied(`the property name '${name}' is not allowed`, propertyPath)
    }
    const schemas = schemasOf(maker, parts, name)
    made.add(name)
    order.push(name)
    define(value, name, maker.make({ ...maker.inside(task, propertyPath), schemas, name }))
    for (const dependent of dependentsOf(parts, name)) add(dependent)
  }
  const addIfPossible = (name: string): void => {
    const before = order.length
    try {
      add(name)
    } catch (error) {
      if (!(error instanceof Unsatisfied)) throw error
      for (const added of order.splice(before)) {
        delete value[added]
        made.delete(added)
      }
    }
  }

  // In the schema's own order: that is the order people read, and models write.
  const declared = [...new Set(parts.flatMap((part) => Object.keys((part.properties ?? {}) as object)))]
  const optional = declared.filter((name) => !required.has(name) && isPossible(maker, parts, name))
  const wanted = new Set(wantedOf(maker, optional, required.size, [min, max], choices, isEnding))
  for (const name of declared) {
    if (required.has(name)) add(name)
    else if (wanted.has(name) && made.size < max) addIfPossible(name)
  }
  for (const name of required) add(name)
  for (const name of optional) if (made.size < min) addIfPossible(name)
  addOpenProperties(maker, parts, task, [min, max], made, addIfPossible)
  if (made.size < min) throw new Unsatisfied(`no way found to have ${min} properties`, path)
  if (made.size > max) throw new Unsatisfied(`it must have ${made.size} properties, and may have ${max}`, path)
  return value
}

function countsOf(parts: readonly SchemaObject[], path: string): [min: number, max: number] {
  let [min, max] = [0, Number.POSITIVE_INFINITY]
  for (const { minProperties, maxProperties } of parts) {
    if (minProperties !== undefined) min = Math.max(min, minProperties as number)
    if (maxProperties !== undefined) max = Math.min(max, maxProperties as number)
  }
  if (min > max) throw new Unsatisfied(`minProperties ${min} is above maxProperties ${max}`, path)
  if (min > MAX_PROPERTIES) {
    throw new SchemaProblem(`minProperties ${min} is above the ${MAX_PROPERTIES} that are made`, path)
  }
  return [min, max]
}

/** A first attempt has a share of them; later ones none, or all, and then shares again. */
function wantedOf(
  maker: Maker,
  optional: readonly string[],
  requiredCount: number,
  [min, max]: [number, number],
  { attempt }: Choices,
  isEnding: boolean,
): readonly string[] {
  const room = Math.min(max - requiredCount, Math.max(MANY, min))
  if (isEnding || room <= 0) return optional.slice(0, Math.max(0, Math.min(min - requiredCount, room)))
  if (attempt % 4 === 1) return []
  if (attempt % 4 === 2 || maker.options.optional === 'all')
    return optional.slice(0, maker.options.optional === 'all' ? max : room)
  const share = maker.options.optional === 'none' ? 0 : 0.7
  const chosen = optional.filter(() => maker.random.fraction() < share)
  // An object of optional properties only would be empty now and then, which shows nothing.
  const some = chosen.length === 0 && requiredCount === 0 && share > 0 ? optional.slice(0, 1) : chosen
  return some.slice(0, room)
}

/** Properties that no schema names: from `patternProperties`, or of any name where the rest is described. */
function addOpenProperties(
  maker: Maker,
  parts: readonly SchemaObject[],
  task: Task,
  [min, max]: [number, number],
  made: ReadonlySet<string>,
  addIfPossible: (name: string) => void,
): void {
  const patterns = parts.flatMap((part) => Object.keys((part.patternProperties ?? {}) as object))
  const names = parts.flatMap(({ propertyNames }) => (propertyNames === undefined ? [] : [propertyNames as Schema]))
  const isMap = parts.some(({ additionalProperties: rest }) => typeof rest === 'object')
  const isDescribed = isMap || patterns.length > 0
  const readable = made.size === 0 && isDescribed && !task.isEnding ? 1 + maker.random.below(2) : 0
  const wanted = Math.min(max, Math.max(min, readable))
  for (let attempt = 0; made.size < wanted && attempt < wanted + OPEN_NAMES_TRIES; attempt++) {
    const name = openName(maker, task, patterns, names, attempt, made)
    if (name !== undefined && !made.has(name) && isPossible(maker, parts, name)) addIfPossible(name)
  }
}

function openName(
  maker: Maker,
  task: Task,
  patterns: readonly string[],
  names: readonly Schema[],
  attempt: number,
  made: ReadonlySet<string>,
): string | undefined {
  const pattern = patterns[attempt % Math.max(1, patterns.length)]
  const isFromPattern = pattern !== undefined && attempt % 3 !== 2
  if (!isFromPattern && names.length === 0) {
    const word = propertyName(maker.random)
    return attempt < 12 ? word : `${word}_${attempt}`
  }
  const schemas: Schema[] = [{ type: 'string', ...(isFromPattern ? { pattern } : {}) }, ...names]
  const path = `${task.path}/${isFromPattern ? 'patternProperties' : 'propertyNames'}`
  const taken = new Set([...made].map((other) => equalityKey(other)))
  try {
    return maker.make({ ...maker.inside(task, path), schemas, name: 'word', taken }) as string
  } catch (error) {
    if (error instanceof Unsatisfied) return undefined
    throw error
  }
}

function dependentsOf(parts: readonly SchemaObject[], trigger: string): string[] {
  return parts.flatMap(({ dependentRequired, dependencies }) =>
    [dependentRequired, dependencies].flatMap((dependents) => {
      const names = own((dependents ?? {}) as Record<string, unknown>, trigger)
      return Array.isArray(names) ? (names as string[]) : []
    }),
  )
}

const isNameAllowed = (maker: Maker, parts: readonly SchemaObject[], name: string): boolean =>
  parts.every(
    ({ propertyNames }) =>
      propertyNames === undefined || maker.validator.check(propertyNames as Schema, name) === undefined,
  )

/** Everything that is said of one property, by all schemas at once. */
function schemasOf(maker: Maker, parts: readonly SchemaObject[], name: string): Schema[] {
  const spoken = parts.map((part) => schemasOfProperty(maker.validator, part, name))
  const isEvaluated = spoken.some((schemas) => schemas.length > 0)
  const unevaluated = parts.flatMap(({ unevaluatedProperties: rest }) => (rest === undefined ? [] : [rest as Schema]))
  return [...spoken.flat(), ...(isEvaluated ? [] : unevaluated)]
}

const isPossible = (maker: Maker, parts: readonly SchemaObject[], name: string): boolean =>
  isNameAllowed(maker, parts, name) &&
  schemasOf(maker, parts, name).every((schema) => maker.wayOut.height(schema) !== Number.POSITIVE_INFINITY)
