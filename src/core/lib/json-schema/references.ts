/** The index of a schema: its subschemas, their addresses, and the targets of references. */
import { isObject } from '../text/json.ts'
import { finish, type Steps } from '../work/steps.ts'
import { findSubschemas } from './keywords.ts'
import { own, type Schema, type SchemaObject, SchemaProblem, type WorkBudget } from './schema.ts'

// A base with a path, so that relative references resolve as they do against a real address.
const ROOT_BASE = 'json-schema:///root'

/** A list may have hundreds of thousands of subschemas, more than the work budget allows. */
const CHILDREN_PER_PART = 2000

export class References {
  /** The address of the resource that each subschema belongs to. */
  readonly #bases = new Map<SchemaObject, string>()
  readonly #addresses = new Map<string, Schema>()
  readonly #work: WorkBudget

  private constructor(root: Schema, work: WorkBudget) {
    this.#work = work
    this.#addresses.set(ROOT_BASE, root)
  }

  static *read(root: Schema, work: WorkBudget): Steps<References> {
    const references = new References(root, work)
    yield* references.#index(root, ROOT_BASE, '#')
    return references
  }

  /** The schema that `$ref` points to, in a list; an empty list without a reference. */
  targets(schema: SchemaObject, path = '#'): Schema[] {
    const reference = schema.$ref
    if (typeof reference !== 'string') return []
    const address = resolve(reference, this.#bases.get(schema) ?? ROOT_BASE)
    const target = this.#addresses.get(address) ?? this.#followPointer(address)
    if (target === undefined) {
      throw new SchemaProblem(`reference '${reference}' points to nothing in this schema`, path)
    }
    this.#addresses.set(address, target)
    // A pointer may lead to a subschema that no keyword leads to.
    finish(this.#index(target, address.split('#')[0]!, path))
    return [target]
  }

  *#index(start: Schema, startBase: string, startPath: string): Steps<void> {
    // An explicit stack: a schema nested 10,000 deep must not overflow the call stack.
    const pending = [{ schema: start, base: startBase, path: startPath }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { schema, path } = next
      if (typeof schema === 'boolean' || this.#bases.has(schema)) continue
      this.#work.spend(1, path)
      if (this.#work.isPauseDue) yield this.#work.pause()
      const { $id, $anchor } = schema
      const address = typeof $id === 'string' ? resolve($id, next.base) : next.base
      // In draft 7, an anchor is an id that begins with #.
      const base = address.split('#')[0]!
      this.#bases.set(schema, base)
      if ($id !== undefined && !this.#addresses.has(address)) this.#addresses.set(address, schema)
      if ($anchor !== undefined) this.#addresses.set(`${base}#${$anchor}`, schema)
      const before = pending.length
      for (const child of findSubschemas(schema, path)) {
        pending.push({ ...child, base })
        if ((pending.length - before) % CHILDREN_PER_PART === 0) yield CHILDREN_PER_PART
      }
    }
  }

  #followPointer(address: string): Schema | undefined {
    const [resource = '', fragment = ''] = address.split('#')
    if (fragment !== '' && !fragment.startsWith('/')) return undefined
    let value: unknown = this.#addresses.get(resource)
    for (const step of decodeFragment(fragment).split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (Array.isArray(value)) value = value[Number(name)]
      else value = isObject(value) ? own(value, name) : undefined
    }
    return typeof value === 'boolean' || isObject(value) ? value : undefined
  }
}

const resolve = (reference: string, base: string): string =>
  reference.startsWith('#') || !URL.canParse(reference, base) ? base + reference : new URL(reference, base).href

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
