/** The nodes of a value that is being validated, with the verdicts found so far. */
import type { Patterns } from '../regex/patterns.ts'
import type { Schema } from '../schema.ts'

/** The evaluated properties and items of a node, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Evaluated {
  readonly properties = new Set<string>()
  readonly items = new Set<number>()

  add(other: Evaluated): void {
    for (const name of other.properties) this.properties.add(name)
    for (const index of other.items) this.items.add(index)
  }
}

export interface Verdict {
  readonly error: string | undefined
  readonly evaluated: Evaluated
}

/** A part of the value. */
export class InstanceNode<Value = unknown> {
  readonly value: Value
  /** Its path, for messages: `$.items[2]`. */
  readonly at: string
  readonly verdicts = new Map<Schema, Verdict | 'open'>()
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
  /** What is wrong with the value, or undefined; adds to `evaluated` if the value is valid. */
  visit(schema: Schema, node: InstanceNode, evaluated: Evaluated): string | undefined
}
