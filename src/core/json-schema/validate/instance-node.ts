/** Places in a value that is being validated, and what is known of each. */
import type { Patterns } from '../regex/pattern.ts'
import type { Schema } from '../schema.ts'

/** Which properties and items some schema has spoken of, for `unevaluatedProperties` and `unevaluatedItems`. */
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
  readonly seen: Evaluated
}

/** Where in the value we are. */
export class InstanceNode {
  readonly at: string
  readonly verdicts = new Map<Schema, Verdict | 'open'>()
  readonly #children = new Map<string | number, InstanceNode>()

  constructor(at: string) {
    this.at = at
  }

  child(key: string | number): InstanceNode {
    const known = this.#children.get(key)
    if (known !== undefined) return known
    const place = new InstanceNode(typeof key === 'number' ? `${this.at}[${key}]` : `${this.at}.${key}`)
    this.#children.set(key, place)
    return place
  }
}

/** What checks a place by a schema: the validator, as the keywords of arrays and objects see it. */
export interface Visitor {
  readonly patterns: Patterns
  /** What is wrong with the value, or nothing; what was evaluated there is added to `seen` if the value is valid. */
  visit(schema: Schema, value: unknown, place: InstanceNode, seen: Evaluated): string | undefined
}
