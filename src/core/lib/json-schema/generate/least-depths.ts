/** The least depth of a value of each subschema: where the recursion of a schema can end. */
import { type JsonSchema, own, type SchemaObject, schemaList, type WorkBudget } from '../json-schema.ts'
import type { SchemaIndex } from '../schema-index.ts'
import { itemSchema } from '../validator.ts'

const NEVER = Number.POSITIVE_INFINITY
/** Measuring a schema is cheaper than a step of the work budget. */
const SCHEMAS_PER_STEP = 4
/** Items of a list beyond these are not looked at. */
const MAX_ITEMS = 50

/**
 * Returns the function that tells the levels of objects and arrays in the flattest value of a schema: 0 for a text or a
 * number, infinite when the structure of the schema allows no finite value.
 */
export function measureDepths(index: SchemaIndex, work: WorkBudget): (schema: JsonSchema) => number {
  // A reference may add to the schemas, so all are followed before the first pass.
  for (const schema of index.schemas) index.findTarget(schema, '#')
  const innerFirst = [...index.schemas].reverse()
  const depths = new Map<JsonSchema, number>(innerFirst.map((schema) => [schema, NEVER]))
  const depthOf = (schema: JsonSchema): number => (schema === false ? NEVER : (depths.get(schema) ?? 0))
  // A fixpoint: repeat until no depth shrinks. Without a depth there, a schema has no finite value.
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const schema of innerFirst) {
      work.spend(1 / SCHEMAS_PER_STEP)
      const depth = measure(schema, index.findTarget(schema, '#'), depthOf)
      if (depth >= depthOf(schema)) continue
      depths.set(schema, depth)
      isChanged = true
    }
  }
  return depthOf
}

function measure(schema: SchemaObject, target: JsonSchema | undefined, depthOf: (part: JsonSchema) => number): number {
  // A listed value is finite.
  if (schema.enum !== undefined || Object.hasOwn(schema, 'const')) return 0
  const {
    minItems = 0,
    properties = {},
    required,
  } = schema as Readonly<Record<string, unknown>> & {
    readonly minItems?: number
    readonly properties?: Readonly<Record<string, JsonSchema>>
  }
  // Without a type any value is allowed, null too, whose depth is 0.
  const types = new Set([schema.type ?? 'null', ...(schema.nullable === true ? ['null'] : [])].flat())
  let least = NEVER
  for (const type of types) {
    let inner: readonly (JsonSchema | undefined)[] = []
    if (type === 'object' && Array.isArray(required)) inner = required.map((name: string) => own(properties, name))
    if (type === 'array') {
      inner = Array.from({ length: Math.min(minItems, MAX_ITEMS) }, (_, index) => itemSchema(schema, index))
    }
    let depth = 0
    for (const part of inner) if (part !== undefined) depth = Math.max(depth, 1 + depthOf(part))
    least = Math.min(least, depth)
  }
  if (target !== undefined) least = Math.max(least, depthOf(target))
  for (const part of schemaList(schema.allOf)) least = Math.max(least, depthOf(part))
  for (const branches of [schema.anyOf, schema.oneOf]) {
    let flattest = branches === undefined ? 0 : NEVER
    for (const branch of schemaList(branches)) flattest = Math.min(flattest, depthOf(branch))
    least = Math.max(least, flattest)
  }
  return least
}
