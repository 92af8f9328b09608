/**
 * The shape of the values of each subschema: their possible types, and the levels of objects and arrays in the flattest.
 * They show which branches are open, and where a recursion can end.
 *
 * `{ type: ['object', 'null'], ... }` -> types `object` and `null`, depth 0 because null has no level.
 */
import type { JsonSchema, JsonType, SchemaObject, WorkBudget } from '../json-schema.ts'
import { own, typeOf } from '../json-values.ts'
import { itemSchema, listsOf, requiredNames, schemaList } from '../keywords.ts'
import type { SchemaIndex } from '../schema-index.ts'

export interface ValueShape {
  /** The types that a value may have. Some may turn out to be impossible. */
  readonly types: readonly JsonType[]
  /** Infinite when the structure of the schema allows no finite value. */
  readonly depth: number
}

const ALL_TYPES: readonly JsonType[] = ['null', 'boolean', 'number', 'string', 'array', 'object']
const ANY: ValueShape = { types: ALL_TYPES, depth: 0 }
const NONE: ValueShape = { types: [], depth: Number.POSITIVE_INFINITY }
/** Measuring a schema is cheaper than a step of the work budget. */
const SCHEMAS_PER_STEP = 4
/** Items of a list beyond these are not looked at. */
const MAX_ITEMS = 50

/** Measures all subschemas at once, and returns a function that gives the shape of each. */
export function measureShapes(index: SchemaIndex, work: WorkBudget): (schema: JsonSchema) => ValueShape {
  // A reference may add to the schemas, so all are followed before the first pass.
  for (const schema of index.schemas) index.findTarget(schema)
  const innerFirst = [...index.schemas].reverse()
  const shapes = new Map<JsonSchema, ValueShape>(innerFirst.map((schema) => [schema, NONE]))
  shapes.set(false, NONE)
  const shapeOf = (schema: JsonSchema): ValueShape => shapes.get(schema) ?? ANY
  const depthIn = (parts: readonly (JsonSchema | undefined)[]): number =>
    parts.reduce((depth: number, part) => Math.max(depth, part === undefined ? 0 : 1 + shapeOf(part).depth), 0)

  /** The least depth by the schema's own `type`, `required` and `minItems`. */
  const ownDepth = (schema: SchemaObject): number => {
    const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
    const length = Math.min(Number(schema.minItems ?? 0), MAX_ITEMS)
    const depths = ownTypes(schema).map((type) => {
      if (type === 'object') return depthIn(requiredNames(schema).map((name) => own(properties, name)))
      if (type === 'array') return depthIn(Array.from({ length }, (_, at) => itemSchema(schema, at)))
      return 0
    })
    return Math.min(...depths)
  }
  const measure = (schema: SchemaObject): ValueShape => {
    const lists = listsOf(schema)
    let types = ownTypes(schema).filter((type) => lists.every((list) => list.some((value) => typeOf(value) === type)))
    // A listed value is finite.
    let depth = lists.length > 0 ? 0 : ownDepth(schema)
    const target = index.findTarget(schema)
    const allOf = [...schemaList(schema.allOf), ...(target === undefined ? [] : [target])]
    for (const branches of [...allOf.map((part) => [part]), schema.anyOf, schema.oneOf]) {
      if (branches === undefined) continue
      const open = schemaList(branches).map(shapeOf)
      types = types.filter((type) => open.some((branch) => branch.types.includes(type)))
      const flattest = open.reduce((least, branch) => Math.min(least, branch.depth), Number.POSITIVE_INFINITY)
      depth = Math.max(depth, flattest)
    }
    return { types, depth }
  }

  // A fixpoint: repeat until no depth shrinks and no type is added.
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const schema of innerFirst) {
      work.spend(1 / SCHEMAS_PER_STEP)
      const known = shapeOf(schema)
      const shape = measure(schema)
      if (shape.depth === known.depth && shape.types.length === known.types.length) continue
      shapes.set(schema, shape)
      isChanged = true
    }
  }
  return shapeOf
}

/** The types that the `type` of each schema allows. */
export const commonTypes = (parts: readonly SchemaObject[]): JsonType[] =>
  ALL_TYPES.filter((type) => parts.every((part) => ownTypes(part).includes(type)))

function ownTypes(schema: SchemaObject): readonly JsonType[] {
  if (schema.type === undefined) return ALL_TYPES
  const named = ([schema.type].flat() as string[]).map((type) => (type === 'integer' ? 'number' : type) as JsonType)
  return schema.nullable === true ? [...named, 'null'] : named
}
