/** The least depth of a value of each subschema: where the recursion of a schema can end. */
import { finish, type Steps } from '../../work/steps.ts'
import type { References } from '../references.ts'
import { own, type Schema, type SchemaObject, schemaList, type WorkBudget } from '../schema.ts'
import { findItemSchema } from '../validate/validate-array.ts'

const NEVER = Number.POSITIVE_INFINITY

export class MinDepth {
  readonly #depths = new Map<Schema, number>()
  readonly #references: References
  readonly #work: WorkBudget

  constructor(references: References, work: WorkBudget) {
    this.#references = references
    this.#work = work
  }

  /**
   * The levels of objects and arrays of the flattest value; 0 for a text or a number, infinite when the structure of the
   * schema allows no finite value.
   */
  of(schema: Schema): number {
    if (typeof schema === 'boolean') return schema ? 0 : NEVER
    finish(this.measure(schema))
    return this.#depths.get(schema)!
  }

  /** Prepares `of` for a schema, which may have thousands of parts. */
  *measure(root: Schema): Steps<void> {
    if (typeof root === 'boolean' || this.#depths.has(root)) return
    const found: SchemaObject[] = []
    const seen = new Set<Schema>([root])
    const pending: SchemaObject[] = [root]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      this.#work.spend(1)
      if (this.#work.isPauseDue) yield this.#work.pause()
      found.push(next)
      for (const schema of this.#requirements(next)) {
        if (typeof schema === 'boolean' || seen.has(schema) || this.#depths.has(schema)) continue
        seen.add(schema)
        pending.push(schema)
      }
    }
    const depths = new Map<Schema, number>()
    const depthOf = (schema: Schema): number =>
      typeof schema === 'boolean' ? (schema ? 0 : NEVER) : (this.#depths.get(schema) ?? depths.get(schema) ?? NEVER)
    // A fixpoint: repeat until no depth shrinks. Schemas found last are mostly inner ones: starting there saves passes.
    let isChanged = true
    while (isChanged) {
      isChanged = false
      for (let index = found.length - 1; index >= 0; index--) {
        const schema = found[index]!
        this.#work.spend(1)
        if (this.#work.isPauseDue) yield this.#work.pause()
        const depth = this.#combine(schema, depthOf)
        if (depth >= (depths.get(schema) ?? NEVER)) continue
        depths.set(schema, depth)
        isChanged = true
      }
    }
    // Without a depth at the fixpoint, a schema has no finite value.
    for (const schema of found) this.#depths.set(schema, depths.get(schema) ?? NEVER)
  }

  #requirements(schema: SchemaObject): Schema[] {
    return [
      ...this.#references.targets(schema),
      ...schemaList(schema.allOf),
      ...schemaList(schema.anyOf),
      ...schemaList(schema.oneOf),
      ...requiredProperties(schema),
      ...requiredItems(schema),
    ]
  }

  #combine(schema: SchemaObject, depthOf: (part: Schema) => number): number {
    // A listed value is finite.
    if (schema.enum !== undefined || Object.hasOwn(schema, 'const')) return 0
    const byType = least(typesOf(schema).map((type) => depthOfType(schema, type, depthOf)))
    const all = [...this.#references.targets(schema), ...schemaList(schema.allOf)].map(depthOf)
    const branches = [schema.anyOf, schema.oneOf].flatMap((list) =>
      list === undefined ? [] : [least(schemaList(list).map(depthOf))],
    )
    return Math.max(byType, greatest(all), greatest(branches))
  }
}

// Not `Math.min(...depths)`: more than a hundred thousand arguments overflow the stack.
const least = (depths: readonly number[]): number =>
  depths.reduce((so, depth) => Math.min(so, depth), Number.POSITIVE_INFINITY)
const greatest = (depths: readonly number[]): number => depths.reduce((so, depth) => Math.max(so, depth), -1)

function depthOfType(schema: SchemaObject, type: string, depthOf: (part: Schema) => number): number {
  if (type === 'object') return 1 + greatest(requiredProperties(schema).map(depthOf))
  if (type === 'array') return 1 + greatest(requiredItems(schema).map(depthOf))
  return 0
}

/** Without a type any value is allowed, null too, whose depth is 0. */
const typesOf = (schema: SchemaObject): string[] => {
  const types = schema.type === undefined ? ['null'] : ([schema.type].flat() as string[])
  return schema.nullable === true ? [...types, 'null'] : types
}

function requiredProperties(schema: SchemaObject): Schema[] {
  if (!Array.isArray(schema.required)) return []
  const properties = (schema.properties ?? {}) as Readonly<Record<string, unknown>>
  return schema.required.flatMap((name: string) => {
    const part = own(properties, name) as Schema | undefined
    return part === undefined ? [] : [part]
  })
}

function requiredItems(schema: SchemaObject): Schema[] {
  const { minItems = 0 } = schema as Record<string, number | undefined>
  const parts: Schema[] = []
  for (let index = 0; index < Math.min(minItems, 50); index++) {
    const part = findItemSchema(schema, index)
    if (part !== undefined && !parts.includes(part)) parts.push(part)
  }
  return parts
}
