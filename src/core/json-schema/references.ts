/** The index of a schema: the address of every subschema, and the targets of references. */
import { isObject } from '../text/json.ts'
import { findSubschemas } from './keywords.ts'
import { own, type Schema, type SchemaObject, SchemaProblem, type WorkBudget } from './schema.ts'

// A base with a path, so that relative references resolve as they do against a real address.
const ROOT_BASE = 'json-schema:///root'
const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** Every subschema of one schema, by identity and by address. */
export class References {
  /** Whether any `unevaluated...` keyword is in use: only then does the validator track evaluated parts. */
  hasUnevaluated = false
  readonly #bases = new Map<SchemaObject, string>()
  readonly #addresses = new Map<string, Schema>()
  readonly #resolved = new Map<string, Schema>()
  readonly #work: WorkBudget

  constructor(root: Schema, work: WorkBudget) {
    this.#work = work
    this.#addresses.set(ROOT_BASE, root)
    this.#index(root, ROOT_BASE, '#')
  }

  /** The schemas that the references of `schema` point to. */
  targets(schema: SchemaObject, path = '#'): Schema[] {
    const targets: Schema[] = []
    for (const keyword of REFERENCE_KEYWORDS) {
      const reference = schema[keyword]
      if (typeof reference === 'string') targets.push(this.#resolve(reference, schema, path))
    }
    return targets
  }

  #index(start: Schema, startBase: string, startPath: string): void {
    // An explicit stack: a schema nested 10,000 deep must not overflow the call stack.
    const pending = [{ schema: start, base: startBase, path: startPath }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { schema, path } = next
      if (typeof schema === 'boolean' || this.#bases.has(schema)) continue
      this.#work.spend(1, path)
      const base = this.#register(schema, next.base)
      if (schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined)
        this.hasUnevaluated = true
      for (const child of findSubschemas(schema, path)) pending.push({ ...child, base })
    }
  }

  /** Registers a schema under its own addresses; returns the base of its subschemas. */
  #register(schema: SchemaObject, outer: string): string {
    const id = schema.$id
    let base = outer
    if (typeof id === 'string') {
      if (id.startsWith('#')) this.#addAddress(outer + id, schema)
      else {
        base = resolveAddress(id, outer).split('#')[0]!
        this.#addAddress(base, schema)
      }
    }
    this.#bases.set(schema, base)
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof anchor === 'string') this.#addAddress(`${base}#${anchor}`, schema)
    }
    return base
  }

  #addAddress(where: string, schema: Schema): void {
    if (!this.#addresses.has(where)) this.#addresses.set(where, schema)
  }

  #resolve(reference: string, from: SchemaObject, path: string): Schema {
    const base = this.#bases.get(from) ?? ROOT_BASE
    const key = `${base} ${reference}`
    const known = this.#resolved.get(key)
    if (known !== undefined) return known
    const [resource = '', fragment = ''] = resolveAddress(reference, base).split('#')
    const target = this.#find(resource, fragment)
    if (target === undefined) {
      throw new SchemaProblem(`reference '${reference}' points to nothing in this schema`, path)
    }
    // A pointer may lead to a subschema that no keyword leads to.
    this.#index(target, resource, path)
    this.#resolved.set(key, target)
    return target
  }

  #find(resource: string, fragment: string): Schema | undefined {
    const root = this.#addresses.get(resource)
    if (fragment === '') return root
    if (!fragment.startsWith('/')) return this.#addresses.get(`${resource}#${fragment}`)
    let value: unknown = root
    for (const step of decodeFragment(fragment).slice(1).split('/')) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (Array.isArray(value)) value = value[Number(name)]
      else value = isObject(value) ? own(value, name) : undefined
    }
    return typeof value === 'boolean' || isObject(value) ? value : undefined
  }
}

function resolveAddress(reference: string, base: string): string {
  if (reference.startsWith('#')) return base + reference
  try {
    return new URL(reference, base).href
  } catch {
    return reference
  }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
