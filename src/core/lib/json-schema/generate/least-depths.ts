/** The least depth of a value of each subschema: where the recursion of a schema can end. */
import { own, type Schema, type SchemaObject, schemaList, type WorkBudget } from '../schema.ts'
import type { SchemaIndex } from '../schema-index.ts'
import { itemSchema } from '../validate.ts'

const NEVER = Number.POSITIVE_INFINITY
/** Measuring a schema is cheaper than a step of the work budget. */
const SCHEMAS_PER_STEP = 4
/** Items of a list beyond these are not looked at. */
const MAX_ITEMS = 50

/**
 * Returns the function that tells the levels of objects and arrays in the flattest value of a schema: 0 for a text or a
 * number, infinite when the structure of the schema allows no finite value.
 */
export function measureDepths(index: SchemaIndex, work: WorkBudget): (schema: Schema) => number {
  // A reference may add to the schemas, so all are followed before the first pass.
  for (const schema of index.schemas) index.findTarget(schema, '#')
  const innerFirst = [...index.schemas].reverse()
  const depths = new Map<Schema, number>(innerFirst.map((schema) => [schema, NEVER]))
  const depthOf = (schema: Schema): number => (schema === false ? NEVER : (depths.get(schema) ?? 0))
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

function measure(schema: SchemaObject, target: Schema | undefined, depthOf: (part: Schema) => number): number {
  // A listed value is finite.
  if (schema.enum !== undefined || Object.hasOwn(schema, 'const')) return 0
  // Without a type any value is allowed, null too, whose depth is 0.
  const types = [schema.type ?? 'null', ...(schema.nullable === true ? ['null'] : [])].flat()
  let least = NEVER
  for (const type of types) {
    const inner = type === 'object' ? requiredProperties(schema) : type === 'array' ? requiredItems(schema) : undefined
    least = Math.min(
      least,
      (inner ?? []).reduce((so, part) => Math.max(so, 1 + depthOf(part)), 0),
    )
  }
  for (const part of target === undefined ? [] : [target]) least = Math.max(least, depthOf(part))
  for (const part of schemaList(schema.allOf)) least = Math.max(least, depthOf(part))
  for (const branches of [schema.anyOf, schema.oneOf]) {
    if (branches === undefined) continue
    least = Math.max(
      least,
      schemaList(branches).reduce((so, branch) => Math.min(so, depthOf(branch)), NEVER),
    )
  }
  return least
}

function requiredProperties({ required, properties }: SchemaObject): Schema[] {
  const names = Array.isArray(required) ? (required as string[]) : []
  const parts = names.map((name) => own((properties ?? {}) as Readonly<Record<string, Schema>>, name))
  return parts.filter((part) => part !== undefined)
}

function requiredItems(schema: SchemaObject): Schema[] {
  const { minItems = 0 } = schema as Record<string, number | undefined>
  const parts = Array.from({ length: Math.min(minItems, MAX_ITEMS) }, (_, index) => itemSchema(schema, index))
  return parts.filter((part) => part !== undefined)
}
