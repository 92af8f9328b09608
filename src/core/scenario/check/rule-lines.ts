/** The lines of rules in the texts of their scenarios: `replies[2]` is on line 14. */
import { faultRulesOf, type ScenarioSource } from '../scenario-source.ts'
import { type Problem, pathText } from './problem.ts'

/** The lines of each scenario, by the ids of the rules. Not in the scenario itself, which may be compared, sent and written again. */
const LINES = new WeakMap<object, ReadonlyMap<string, number>>()

/** Keeps the lines of a scenario that was read from a text. @param lineOf finds the line of a part of it. */
export function keepRuleLines(source: ScenarioSource, lineOf: (path: Problem['path']) => number): void {
  const replies = (source.replies ?? []).map((_, index) => ['replies', index])
  const paths = [...replies, ...faultRulesOf(source).map(({ path }) => path)]
  LINES.set(source, new Map(paths.map((path) => [pathText(path), lineOf(path)])))
}

/** Keeps the lines for a copy of a scenario. */
export function copyRuleLines(source: unknown, copy: ScenarioSource): void {
  const lines = LINES.get(source as object)
  if (lines !== undefined) LINES.set(copy, lines)
}

/** The line of a rule, from 1; undefined for a scenario that was not read from a text. */
export const lineOfRule = (source: ScenarioSource, ruleId: string): number | undefined => LINES.get(source)?.get(ruleId)
