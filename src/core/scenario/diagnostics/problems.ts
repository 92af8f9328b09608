/** The error for a scenario with problems, and the check of a scenario that was written in code. */
import { MockError } from '../../errors/mock-error.ts'
import { isObject } from '../../text/json.ts'
import { patternsToText } from '../compile/pattern-text.ts'
import { conditions } from '../conditions/catalogue.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { checkSource } from './check-source.ts'
import type { Problem } from './problem.ts'
import { lineOf } from './problem-text.ts'

/** Thrown for a scenario that can't be used: the message has a line for each problem. */
export class ScenarioError extends MockError {
  override readonly name = 'ScenarioError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], fileName?: string) {
    const number = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    const lines = problems.slice(0, LINES).map((problem) => `\n  ${lineOf(problem, fileName)}`)
    if (problems.length > LINES) lines.push(`\n  ... and ${problems.length - LINES} more`)
    super(
      'invalid-scenario',
      `${fileName === undefined ? 'The scenario' : `Scenario '${fileName}'`} has ${number}:${lines.join('')}`,
    )
    this.problems = problems
  }
}

const LINES = 50

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
  const { problems, checked } = checkSource(withPatternTexts(source))
  if (checked === undefined) throw new ScenarioError(problems)
  return checked
}

/** Replaces each RegExp under `when` by its text; anything that is not a rule is left to the schema. */
function withPatternTexts(source: unknown): unknown {
  if (!isObject(source)) return source
  const { replies, faults, states } = source
  return {
    ...source,
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
    Object.hasOwn(conditions, name) && conditions[name]!.takesPatterns === true ? patternsToText(value) : value,
  ])
  return { ...rule, when: Object.fromEntries(entries) }
}
