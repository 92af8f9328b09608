/**
 * Compiles the conditions of a rule to functions of a call's facts.
 * @example
 * const { match, findMisses } = compileWhen({ user: '/in (?<city>\\w+)/', turn: 1 }, compilePattern)
 * match(facts) // { city: 'Oslo' }, or undefined if a condition does not hold
 * findMisses(facts) // [{ condition: 'turn', wanted: 1, sent: 2, ... }]
 */

import type { PatternCompiler } from '../compile/pattern-text.ts'
import type { WhenSource } from '../scenario-source.ts'
import { type Groups, type Match, NO_GROUPS, type PartDifference } from './condition.ts'
import { conditionNames, conditions } from './condition-table.ts'
import type { Facts } from './facts.ts'

/** A condition that does not hold for a call, or one of several differences from it. */
export interface Miss extends PartDifference {
  /** The name of the condition. */
  readonly condition: string
}

/** The conditions of a rule, ready to be tested. */
export function compileWhen(when: WhenSource = {}, compilePattern: PatternCompiler) {
  const tests = new Map<string, Match>()
  // In the order of the table: those that cost least come first.
  for (const name of conditionNames)
    if (when[name] !== undefined) tests.set(name, conditions[name]!.compile(when[name], compilePattern))
  return {
    conditionCount: tests.size,
    /** Returns the captured groups of the patterns; undefined if a condition does not hold. */
    match: (facts: Facts): Groups | undefined => {
      let groups: Groups = NO_GROUPS
      for (const test of tests.values()) {
        const captured = test(facts)
        if (captured === undefined) return undefined
        if (captured !== NO_GROUPS) groups = { ...groups, ...captured }
      }
      return groups
    },
    /** Finds the conditions that do not hold, in the order of the scenario; of one with parts, each part that differs. */
    findMisses: (facts: Facts): readonly Miss[] => {
      const misses: Miss[] = []
      for (const [name, wanted] of Object.entries(when)) {
        if (wanted === undefined || tests.get(name)!(facts) !== undefined) continue
        const condition = conditions[name]!
        const parts = condition.findDifferences?.(wanted, facts) ?? []
        misses.push(...parts.map((part) => ({ condition: name, ...part })))
        if (parts.length > 0) continue
        const describe = () => ({ found: condition.describeFound(facts), needed: condition.describeWanted(wanted) })
        misses.push({ condition: name, field: name, wanted, sent: condition.read(facts), describe })
      }
      return misses
    },
  }
}
