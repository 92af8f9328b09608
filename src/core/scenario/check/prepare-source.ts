/** Checks a scenario that was written in code. */

import { isObject } from '../../lib/text/json.ts'
import { patternsToText } from '../compile/pattern-text.ts'
import { takesPatterns } from '../conditions/condition-table.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { checkSource } from './check-source.ts'
import { type Problem, ScenarioError } from './problem.ts'

/**
 * All problems of a scenario; none when it can be used.
 * @example findProblems({ description: 'x', sead: 7 }) // one problem: unknown field 'sead'. Did you mean 'seed'?
 */
export function findProblems(source: unknown): Problem[] {
  return checkSource(source).problems
}

/**
 * A scenario that was written in code, checked.
 * @throws ScenarioError with every problem at once.
 * @example prepareSource({ description: 'x', replies: [{ when: { user: /hi/i }, say: 'Hello!' }] })
 */
export function prepareSource(source: unknown): ScenarioSource {
  const deep = findTooDeep(source)
  if (deep !== undefined) {
    const path = deep.slice(0, SHOWN_LEVELS)
    const message = `expected at most ${MAX_DEPTH} levels of lists and maps, got more, or a value that contains itself.`
    throw new ScenarioError([{ path, message }])
  }
  const { problems, checked } = checkSource(withPatternTexts(source))
  if (checked === undefined) throw new ScenarioError(problems)
  return checked
}

const MAX_DEPTH = 40
/** How much of the path to a value that is nested too deeply a message shows. */
const SHOWN_LEVELS = 4

/** The path of a value below the deepest allowed level; the checks recurse, so they would overflow the stack. */
function findTooDeep(value: unknown, path: Problem['path'] = []): Problem['path'] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length >= MAX_DEPTH) return path
  const isList = Array.isArray(value)
  for (const [name, item] of Object.entries(value)) {
    const found = findTooDeep(item, [...path, isList ? Number(name) : name])
    if (found !== undefined) return found
  }
  return undefined
}

/** Replaces each RegExp under `when` and `ignore` by its text; anything that is not a rule is left to the schema. */
function withPatternTexts(source: unknown): unknown {
  if (!isObject(source)) return source
  const { replies, faults, states, ignore } = source
  return {
    ...source,
    ...(ignore !== undefined && { ignore: patternsToText(ignore) }),
    ...(Array.isArray(replies) && { replies: replies.map(withRuleTexts) }),
    ...(Array.isArray(faults) && { faults: faults.map(withRuleTexts) }),
    ...(isObject(states) && {
      states: Object.fromEntries(Object.entries(states).map(([name, state]) => [name, withPatternTexts(state)])),
    }),
  }
}

function withRuleTexts(rule: unknown): unknown {
  if (!isObject(rule) || !isObject(rule.when)) return rule
  const entries = Object.entries(rule.when).map(([name, value]) => [
    name,
    takesPatterns(name) ? patternsToText(value) : value,
  ])
  return { ...rule, when: Object.fromEntries(entries) }
}
