/** Checks a scenario that was written in code, in which a pattern may be a RegExp: `/hi/i` becomes the text '/hi/i', as in a file. */

import { patternsToText } from '../compile/pattern-text.ts'
import { takesPatterns } from '../conditions/condition-table.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { checkSource } from './check-source.ts'
import { type Problem, ScenarioError } from './problem.ts'
import { copyRuleLines } from './rule-lines.ts'

/**
 * Checks a scenario that was written in code.
 * @throws ScenarioError with every problem at once.
 * @example prepareSource({ description: 'x', replies: [{ when: { user: /hi/i }, say: 'Hello!' }] })
 */
export function prepareSource(source: unknown): ScenarioSource {
  const { problems, checked } = checkSource(withPatternTexts(source))
  if (checked === undefined) throw new ScenarioError(problems)
  copyRuleLines(source, checked)
  return checked
}

const MAX_DEPTH = 40
/** Length of the path in a message about a value that is nested too deeply. */
const SHOWN_LEVELS = 4

/**
 * Copies a scenario with the text of each RegExp where patterns are allowed; elsewhere the schema refuses it.
 * @param path of a part of it.
 * @param isPattern true if the part may be a pattern.
 * @throws ScenarioError for a value below the deepest allowed level: the checks recurse, so they would overflow the stack.
 */
function withPatternTexts(value: unknown, path: Problem['path'] = [], isPattern = false): unknown {
  if (isPattern && value instanceof RegExp) return patternsToText(value)
  if (typeof value !== 'object' || value === null) return value
  if (path.length >= MAX_DEPTH) {
    const message = `expected at most ${MAX_DEPTH} levels of lists and maps, got more, or a value that contains itself.`
    throw new ScenarioError([{ path: path.slice(0, SHOWN_LEVELS), message }])
  }
  if (Array.isArray(value)) return value.map((item, index) => withPatternTexts(item, [...path, index], isPattern))
  const entries = Object.entries(value)
  // Also an object of another kind, such as a RegExp in a wrong place: a copy would be an empty map.
  if (entries.length === 0) return value
  return Object.fromEntries(
    entries.map(([name, item]) => {
      // The key alone decides, because the schema has not been applied yet. Conditions stand at several depths, in rules and
      // in faults; `ignore` is a field of the scenario itself.
      const mayBePattern = takesPatterns(name) || (name === 'ignore' && path.length === 0)
      return [name, withPatternTexts(item, [...path, name], mayBePattern)]
    }),
  )
}
