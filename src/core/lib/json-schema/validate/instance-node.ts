/** The nodes of a value that is being validated, with the verdicts found so far. */
import type { Steps } from '../../work/steps.ts'
import type { Patterns } from '../regex/patterns.ts'
import type { Schema } from '../schema.ts'

/** A part of the value. */
export class InstanceNode<Value = unknown> {
  readonly value: Value
  /** Its path, for messages: `$.items[2]`. */
  readonly at: string
  readonly verdicts = new Map<Schema, { readonly error: string | undefined } | 'open'>()
  readonly #children = new Map<string | number, InstanceNode>()

  constructor(value: Value, at: string) {
    this.value = value
    this.at = at
  }

  child(key: string | number): InstanceNode {
    const known = this.#children.get(key)
    if (known !== undefined) return known
    const value = (this.value as Readonly<Record<string | number, unknown>>)[key]
    const node = new InstanceNode(value, typeof key === 'number' ? `${this.at}[${key}]` : `${this.at}.${key}`)
    this.#children.set(key, node)
    return node
  }
}

/** The validator, as the keywords of arrays and objects see it. */
export interface SchemaVisitor {
  readonly patterns: Patterns
  /** What is wrong with the value, or undefined. */
  visit(schema: Schema, node: InstanceNode): Steps<string | undefined>
  /** Counts the work of looking for a property in so many schemas, or for so many properties in one. */
  spendLookups(count: number): void
}
