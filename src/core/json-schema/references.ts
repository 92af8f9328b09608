/** The index of a schema: where every subschema is, and what a `$ref` means there. */
import { subschemas } from './keywords.ts'
import { isRecord, own, type Schema, type SchemaObject, SchemaProblem, type Work } from './schema.ts'

// A scheme with a path, so that relative references resolve against it as they would against a real address.
const ROOT_BASE = 'json-schema:///root'
const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** Every subschema of one schema, by identity and by address. */
export class References {
  /** Whether any `unevaluated...` keyword is in use: only then are evaluated properties and items kept track of. */
  hasUnevaluated = false
  readonly #bases = new Map<SchemaObject, string>()
  readonly #addresses = new Map<string, Schema>()
  readonly #resolved = new Map<string, Schema>()
  readonly #work: Work

  constructor(root: Schema, work: Work) {
    this.#work = work
    this.#addresses.set(ROOT_BASE, root)
    this.#index(root, ROOT_BASE, '#')
  }

  /** The schemas that the references of `schema` point to: none, or one, seldom more. */
  targets(schema: SchemaObject, path = '#'): Schema[] {
    const targets: Schema[] = []
    for (const keyword of REFERENCE_KEYWORDS) {
      const reference = schema[keyword]
      if (typeof reference === 'string') targets.push(this.#resolve(reference, schema, path))
    }
    return targets
  }

  #index(start: Schema, startBase: string, startPath: string): void {
    // A stack of its own: a schema nested 10,000 deep must not overflow the engine's.
    const pending = [{ schema: start, base: startBase, path: startPath }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { schema, path } = next
      if (typeof schema === 'boolean' || this.#bases.has(schema)) continue
      this.#work.spend(1, path)
      const base = this.#enter(schema, next.base)
      if (schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined)
        this.hasUnevaluated = true
      for (const child of subschemas(schema, path)) pending.push({ ...child, base })
    }
  }

  /** Notes a schema under its own addresses; returns the base of what is inside. */
  #enter(schema: SchemaObject, outer: string): string {
    const id = schema.$id
    let base = outer
    if (typeof id === 'string') {
      if (id.startsWith('#')) this.#note(outer + id, schema)
      else {
        base = address(id, outer).split('#')[0]!
        this.#note(base, schema)
      }
    }
    this.#bases.set(schema, base)
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof anchor === 'string') this.#note(`${base}#${anchor}`, schema)
    }
    return base
  }

  #note(where: string, schema: Schema): void {
    if (!this.#addresses.has(where)) this.#addresses.set(where, schema)
  }

  #resolve(reference: string, from: SchemaObject, path: string): Schema {
    const base = this.#bases.get(from) ?? ROOT_BASE
    const key = `${base} ${reference}`
    const known = this.#resolved.get(key)
    if (known !== undefined) return known
    const [resource = '', fragment = ''] = address(reference, base).split('#')
    const target = this.#find(resource, fragment)
    if (target === undefined) {
      throw new SchemaProblem(`reference '${reference}' points to nothing in this schema`, path)
    }
    // A pointer may lead to a place that no keyword leads to.
    this.#index(target, resource, path)
    this.#resolved.set(key, target)
    return target
  }

  #find(resource: string, fragment: string): Schema | undefined {
    const root = this.#addresses.get(resource)
    if (fragment === '') return root
    if (!fragment.startsWith('/')) return this.#addresses.get(`${resource}#${fragment}`)
    let value: unknown = root
    for (const step of decoded(fragment).slice(1).split('/')) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (Array.isArray(value)) value = value[Number(name)]
      else value = isRecord(value) ? own(value, name) : undefined
    }
    return typeof value === 'boolean' || isRecord(value) ? value : undefined
  }
}

function address(reference: string, base: string): string {
  if (reference.startsWith('#')) return base + reference
  try {
    return new URL(reference, base).href
  } catch {
    return reference
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
