/**
 * Finds the earlier rules that could take all calls of a rule, without a comparison with each of them.
 *
 * An earlier rule takes them only if each of its conditions covers those of the later rule. So each rule is listed under
 * traits that one of its conditions needs: the rarest ones. The candidates of a later rule are those listed under its
 * traits, and the rules whose conditions need none.
 */
import { conditions } from '../../conditions/catalogue.ts'
import type { Case } from './cases.ts'
import type { LintRule } from './rules.ts'

/** The traits of a longer rule would take more than a few comparisons. In the unit of `LintRule.size`. */
const MAX_SIZE = 100

/** Lists of traits, one of which a later rule must have whole. */
interface Need {
  readonly condition: string
  readonly lists: readonly (readonly string[])[]
}

/** What the conditions of rules need. */
export class RuleNeeds {
  readonly #needs = new Map<LintRule, readonly Need[]>()
  /** How often a trait is needed, by condition and trait. */
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(rules: readonly LintRule[]) {
    for (const rule of rules) {
      const needs = findNeeds(rule)
      this.#needs.set(rule, needs)
      for (const { condition, lists } of needs) {
        const counts = this.#counts.get(condition) ?? new Map<string, number>()
        this.#counts.set(condition, counts)
        for (const list of lists) for (const trait of list) counts.set(trait, (counts.get(trait) ?? 0) + 1)
      }
    }
  }

  /** The condition and its traits that are needed least often; undefined if no condition needs any. */
  findRarest(rule: LintRule): { readonly condition: string; readonly traits: ReadonlySet<string> } | undefined {
    let best: { readonly condition: string; readonly traits: ReadonlySet<string>; readonly count: number } | undefined
    for (const { condition, lists } of this.#needs.get(rule)!) {
      const counts = this.#counts.get(condition)!
      const traits = new Set<string>()
      for (const list of lists) {
        traits.add(list.reduce((rarest, trait) => (counts.get(trait)! < counts.get(rarest)! ? trait : rarest)))
      }
      const count = [...traits].reduce((sum, trait) => sum + counts.get(trait)!, 0)
      if (best === undefined || count < best.count) best = { condition, traits, count }
    }
    return best
  }
}

const findNeeds = ({ when }: LintRule): readonly Need[] =>
  Object.entries(when).flatMap(([condition, wanted]) => {
    const lists = wanted === undefined ? undefined : conditions[condition]?.needTraits?.(wanted)
    return lists === undefined ? [] : [{ condition, lists }]
  })

export class RuleIndex {
  readonly #needs: RuleNeeds
  readonly #rules: LintRule[] = []
  /** The positions of rules in ascending order, by condition and trait. */
  readonly #listed = new Map<string, Map<string, number[]>>()
  /** Those of the rules that need no trait. */
  readonly #others: number[] = []

  /** @param needs those of all rules that are added. */
  constructor(needs: RuleNeeds) {
    this.#needs = needs
  }

  /** Adds a rule behind those that were added before. */
  add(rule: LintRule): void {
    const position = this.#rules.push(rule) - 1
    // A rule that skips calls takes them all from no other.
    if (rule.skipsCalls) return
    const rarest = this.#needs.findRarest(rule)
    if (rarest === undefined) {
      this.#others.push(position)
      return
    }
    const listed = this.#listed.get(rarest.condition) ?? new Map<string, number[]>()
    this.#listed.set(rarest.condition, listed)
    for (const trait of rarest.traits) {
      const positions = listed.get(trait)
      if (positions === undefined) listed.set(trait, [position])
      else positions.push(position)
    }
  }

  /** The rules that could take all calls of a rule with these cases, in their order. */
  *findCandidates({ size }: LintRule, cases: readonly Case[]): Generator<LintRule> {
    if (size > MAX_SIZE) return yield* this.#rules
    let place = 0
    for (const position of this.#findListed(cases)) {
      while (place < this.#others.length && this.#others[place]! < position) yield this.#rules[this.#others[place++]!]!
      yield this.#rules[position]!
    }
    while (place < this.#others.length) yield this.#rules[this.#others[place++]!]!
  }

  /** The positions of the rules that are listed under a trait of the cases. */
  #findListed(cases: readonly Case[]): number[] {
    const found = new Set<number>()
    for (const [condition, listed] of this.#listed) {
      for (const { known } of cases) {
        for (const alternative of known[condition] ?? []) {
          for (const trait of conditions[condition]!.listTraits!(alternative)) {
            for (const position of listed.get(trait) ?? []) found.add(position)
          }
        }
      }
    }
    return [...found].sort((one, other) => one - other)
  }
}
