/** Compiles the conditions of a rule to a function of a call's facts, which returns the captured groups. */

import type { Difference } from '../check/differences.ts'
import { type ConditionName, conditionNames, conditions } from '../conditions/catalogue.ts'
import type { Facts } from '../conditions/facts.ts'
import { type Groups, type Match, NO_GROUPS } from '../conditions/match.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import type { PatternCompiler } from './pattern-text.ts'

export type When = NonNullable<NonNullable<ScenarioSource['replies']>[number]['when']>

/** All conditions of a rule in one function, in the order of the catalogue. */
export function compileWhen(when: When | undefined, compilePattern: PatternCompiler): Match {
  const cheapestFirst = conditionNames.filter((field) => when?.[field] !== undefined)
  const tests = compileEach(cheapestFirst, when, compilePattern)
  return (facts) => {
    let groups: Groups = NO_GROUPS
    for (const { match } of tests) {
      const caught = match(facts)
      if (caught === undefined) return undefined
      if (caught !== NO_GROUPS) groups = { ...groups, ...caught }
    }
    return groups
  }
}

/** A condition that does not hold for a call, or one of several differences from it. */
export interface Miss extends Difference {
  /** The name of the condition. */
  readonly condition: string
  readonly wanted: unknown
  /** The call's value. */
  readonly sent: unknown
}

/** Finds the conditions of a rule that fail for a call. Compiles them on first use: most rules never need it. */
export function compileMisses(
  when: When | undefined,
  compilePattern: PatternCompiler,
): (facts: Facts) => readonly Miss[] {
  let tests: ReturnType<typeof compileEach> | undefined
  return (facts) => {
    tests ??= compileEach(Object.keys(when ?? {}) as ConditionName[], when, compilePattern)
    return tests
      .filter(({ match }) => match(facts) === undefined)
      .flatMap(({ field, wanted }) => missesOf(field, wanted, facts))
  }
}

function missesOf(name: string, wanted: unknown, facts: Facts): readonly Miss[] {
  const condition = conditions[name]!
  const parts = condition.findDifferences?.(wanted, facts) ?? []
  if (parts.length > 0) return parts.map((part) => ({ condition: name, ...part }))
  return [{ condition: name, wanted, sent: condition.read(facts), ...differenceOf(name, wanted, facts) }]
}

/** What a call has for a condition, and what the condition wants. */
export function differenceOf(field: string, wanted: unknown, facts: Facts): Difference {
  const condition = conditions[field]!
  return { field, found: condition.describeFound(facts), needed: condition.describeWanted(wanted) }
}

function compileEach(fields: readonly ConditionName[], when: When = {}, compilePattern: PatternCompiler) {
  return fields
    .filter((field) => when[field] !== undefined)
    .map((field) => {
      const wanted: unknown = when[field]
      return { field, wanted, match: conditions[field]!.compile(wanted, compilePattern) }
    })
}
