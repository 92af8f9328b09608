/** The shortest way out of a recursive schema: how many levels the flattest value of each subschema has. */
import type { References } from '../references.ts'
import { own, type Schema, type SchemaObject, type Work } from '../schema.ts'
import { schemaOfItem } from '../validate/validate-array.ts'

const MAX_PASSES = 64
const NEVER = Number.POSITIVE_INFINITY

/** Infinite for a schema that no finite value can meet, as far as its structure tells. */
export class MinDepth {
  readonly #heights = new Map<Schema, number>()
  readonly #references: References
  readonly #work: Work

  constructor(references: References, work: Work) {
    this.#references = references
    this.#work = work
  }

  /** How many levels of objects and arrays the flattest value has; a text or a number has none. */
  height(schema: Schema): number {
    if (typeof schema === 'boolean') return schema ? 0 : NEVER
    const known = this.#heights.get(schema)
    if (known !== undefined) return known
    this.#measure(schema)
    return this.#heights.get(schema)!
  }

  #measure(root: SchemaObject): void {
    const found: SchemaObject[] = []
    const depended = new Set<Schema>([root])
    const pending: SchemaObject[] = [root]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      this.#work.spend(1)
      found.push(next)
      for (const schema of this.#dependencies(next)) {
        if (typeof schema === 'boolean' || depended.has(schema) || this.#heights.has(schema)) continue
        depended.add(schema)
        pending.push(schema)
      }
    }
    // Schemas found last are mostly the inner ones: measured first, they need few passes.
    const heights = new Map<Schema, number>()
    const of = (schema: Schema): number =>
      typeof schema === 'boolean' ? (schema ? 0 : NEVER) : (this.#heights.get(schema) ?? heights.get(schema) ?? NEVER)
    let isChanged = true
    for (let pass = 0; isChanged && pass < MAX_PASSES; pass++) {
      isChanged = false
      for (let index = found.length - 1; index >= 0; index--) {
        const schema = found[index]!
        this.#work.spend(1)
        const height = this.#combine(schema, of)
        if (height >= (heights.get(schema) ?? NEVER)) continue
        heights.set(schema, height)
        isChanged = true
      }
    }
    for (const schema of found) this.#heights.set(schema, heights.get(schema) ?? (isChanged ? found.length : NEVER))
  }

  #dependencies(schema: SchemaObject): Schema[] {
    return [
      ...this.#references.targets(schema),
      ...listOf(schema.allOf),
      ...listOf(schema.anyOf),
      ...listOf(schema.oneOf),
      ...requiredProperties(schema),
      ...requiredItems(schema),
    ]
  }

  #combine(schema: SchemaObject, of: (part: Schema) => number): number {
    // A listed value is as it is, and has an end.
    if (schema.enum !== undefined || Object.hasOwn(schema, 'const')) return 0
    const own = Math.min(...typesOf(schema).map((type) => heightOfType(schema, type, of)))
    const all = [...this.#references.targets(schema), ...listOf(schema.allOf)].map(of)
    const forks = [schema.anyOf, schema.oneOf].filter((fork) => fork !== undefined)
    const ways = forks.map((fork) => Math.min(...listOf(fork).map(of)))
    return Math.max(own, ...all, ...ways)
  }
}

function heightOfType(schema: SchemaObject, type: string, of: (part: Schema) => number): number {
  if (type === 'object') return 1 + Math.max(-1, ...requiredProperties(schema).map(of))
  if (type === 'array') return 1 + Math.max(-1, ...requiredItems(schema).map(of))
  return 0
}

const typesOf = (schema: SchemaObject): string[] => {
  const types = schema.type === undefined ? ['null'] : ([schema.type].flat() as string[])
  return schema.nullable === true ? [...types, 'null'] : types
}

const listOf = (value: unknown): readonly Schema[] => (value ?? []) as readonly Schema[]

function requiredProperties(schema: SchemaObject): Schema[] {
  if (!Array.isArray(schema.required)) return []
  const properties = (schema.properties ?? {}) as Readonly<Record<string, unknown>>
  return schema.required.flatMap((name: string) => {
    const part = own(properties, name) as Schema | undefined
    return part === undefined ? [] : [part]
  })
}

function requiredItems(schema: SchemaObject): Schema[] {
  const { minItems = 0, minContains = 1 } = schema as Record<string, number | undefined>
  const parts: Schema[] = []
  for (let index = 0; index < Math.min(minItems, 50); index++) {
    const part = schemaOfItem(schema, index)
    if (part !== undefined && !parts.includes(part)) parts.push(part)
  }
  if (schema.contains !== undefined && minContains > 0) parts.push(schema.contains as Schema)
  return parts
}
