/** Compiles the conditions of a rule to functions of a call's facts. */

import { type Groups, type Match, NO_GROUPS, type PartDifference } from '../conditions/condition.ts'
import { conditionNames, conditions } from '../conditions/condition-table.ts'
import type { Facts } from '../conditions/facts.ts'
import type { WhenSource } from '../scenario-source.ts'
import type { PatternCompiler } from './pattern-text.ts'

/** A condition that does not hold for a call, or one of several differences from it. */
export interface Miss extends PartDifference {
  /** The name of the condition. */
  readonly condition: string
}

/** The conditions of a rule, ready to be tested. */
export interface CompiledWhen {
  readonly conditionCount: number
  /** Captures the groups of the patterns; undefined if a condition does not hold. */
  readonly match: Match
  /** Finds the conditions that do not hold, in the order of the scenario. */
  readonly findMisses: (facts: Facts) => readonly Miss[]
}

export function compileWhen(when: WhenSource = {}, compilePattern: PatternCompiler): CompiledWhen {
  const written = Object.keys(when).filter((name) => when[name as keyof WhenSource] !== undefined)
  const matches = new Map<string, Match>()
  // In the order of the table: those that cost least come first.
  for (const name of conditionNames)
    if (when[name] !== undefined) matches.set(name, conditions[name]!.compile(when[name], compilePattern))
  return {
    conditionCount: matches.size,
    match: (facts) => {
      let groups: Groups = NO_GROUPS
      for (const match of matches.values()) {
        const caught = match(facts)
        if (caught === undefined) return undefined
        if (caught !== NO_GROUPS) groups = { ...groups, ...caught }
      }
      return groups
    },
    findMisses: (facts) =>
      written
        .filter((name) => matches.get(name)!(facts) === undefined)
        .flatMap((name): readonly Miss[] => {
          const condition = conditions[name]!
          const wanted: unknown = when[name as keyof WhenSource]
          const parts = condition.findDifferences?.(wanted, facts) ?? []
          if (parts.length > 0) return parts.map((part) => ({ condition: name, ...part }))
          const miss = { condition: name, wanted, sent: condition.read(facts), field: name }
          const describe = () => ({ found: condition.describeFound(facts), needed: condition.describeWanted(wanted) })
          return [{ ...miss, describe }]
        }),
  }
}
