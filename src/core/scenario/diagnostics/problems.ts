/** Everything wrong with a scenario at once, each problem as "expected X, got Y" at its own path. */
import type { z } from 'zod'
import { MockError } from '../../errors/mock-error.ts'
import { didYouMean } from '../../text/did-you-mean.ts'
import { isObject } from '../../text/json.ts'
import { patternsToText } from '../compile/pattern-text.ts'
import { conditions } from '../conditions/catalogue.ts'
import { type ScenarioSource, scenarioSchema } from '../grammar/schema.ts'
import type { Problem } from './problem.ts'
import { lineOf, shown } from './problem-text.ts'
import { suggestField, suggestQuantity } from './suggestions.ts'

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

/** All problems of a scenario, or a fresh copy of it that is checked. */
export function checkSource(source: unknown): { problems: Problem[]; checked?: ScenarioSource } {
  const { success, error, data } = scenarioSchema.safeParse(source)
  if (success) return { problems: [], checked: data }
  return { problems: error.issues.flatMap((issue) => toProblems(issue, [], source)) }
}

type Issue = z.core.$ZodIssue

/** Converts an issue of zod, whose message is what the schema expects (see schema.ts). */
function toProblems(issue: Issue, parent: Problem['path'], source: unknown): Problem[] {
  const path = [...parent, ...(issue.path as (string | number)[])]
  const allowed = issue.message
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: unknownField(key, path, allowed), isKey: true }))
    case 'invalid_key':
      return [{ path, message: `expected ${allowed}, got an empty name.`, isKey: true }]
    case 'invalid_union': {
      // If a form fits on the outside, such as a list, the problems inside it are more precise.
      const inside = issue.errors.find((issues) => issues.length > 0 && issues.every((one) => one.path.length > 0))
      if (inside !== undefined) return inside.flatMap((one) => toProblems(one, path, source))
      break
    }
    case 'custom':
      // Checks have complete messages; a refined value has only what is expected.
      if (issue.params !== undefined) return [{ path, message: allowed, ...(issue.params.isKey && { isKey: true }) }]
      break
    default:
  }
  const value = valueAt(source, path)
  if (value === undefined) return [{ path, message: `expected ${allowed}, got nothing.` }]
  const isWord = issue.code === 'invalid_value' && typeof value === 'string'
  const near = isWord ? didYouMean(value, issue.values.map(String)) : suggestQuantity(value, allowed)
  return [{ path, message: `expected ${allowed}, got ${shown(value)}.${near}` }]
}

const MAX_LISTED = 12

function unknownField(field: string, path: Problem['path'], expected: string): string {
  const known = expected.split(', ')
  const near = suggestField(field, path, known)
  const list = known.length > MAX_LISTED ? 'scenario.schema.json lists all fields' : `Expected one of ${expected}`
  return `unknown field ${shown(field)}.${near === '' ? ` ${list}.` : near}`
}

function valueAt(source: unknown, path: Problem['path']): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], source)
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
