/**
 * The type of a problem or warning of a scenario, its text, and the error for a scenario with problems. Loads no schema.
 *
 *   { path: ['replies', 0, 'say'], message: 'expected a text, got 7.', line: 3, column: 5 }
 *   chat.yaml:3:5  replies[0].say: expected a text, got 7.
 */
import { maskPassword } from '../../lib/text/mask-keys.ts'
import { countOf } from '../../lib/text/wording.ts'
import { MockError } from '../../protocol/errors/mock-error.ts'
import { quoted } from './describe-values.ts'

/** A problem or warning of a scenario: what is wrong, and where. */
export interface Problem {
  /** From the top of the scenario: `['replies', 0, 'say']`. */
  readonly path: readonly (string | number)[]
  /** The expected value, the value found, and a suggestion: `expected a text, got 7.` */
  readonly message: string
  /** True if the key itself is wrong, not its value. */
  readonly isKey?: boolean
  /** In a file: counted from 1. */
  readonly line?: number
  readonly column?: number
}

/** A problem or warning on one line: `file.yaml:3:5  replies[0].say: expected ...`. */
export function lineOf({ path, message, line, column }: Problem, fileName?: string): string {
  const position = line === undefined ? '' : `${fileName}:${line}:${column}  `
  return path.length === 0 ? position + message : `${position}${pathText(path)}: ${message}`
}

/** `replies[0].when`, `keys['sk-ci-*'].limits` */
export function pathText(path: Problem['path']): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (!/^[\w$]{1,60}$/.test(step)) text += `[${shown(step)}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}

/** A value in the message of a problem; lists and maps only by their type. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(maskPassword(value))
  if (value === undefined || value === null) return 'nothing'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof RegExp) return `the pattern ${value}`
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`
}

const MAX_LINES = 50

/** Thrown for a scenario that can't be used: the message has a line for each problem. */
export class ScenarioError extends MockError {
  override readonly name = 'ScenarioError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], fileName?: string) {
    const scenario = fileName === undefined ? 'The scenario' : `Scenario '${fileName}'`
    const lines = problems.slice(0, MAX_LINES).map((problem) => `\n  ${lineOf(problem, fileName)}`)
    if (problems.length > MAX_LINES) lines.push(`\n  ... and ${problems.length - MAX_LINES} more`)
    super('invalid-scenario', `${scenario} has ${countOf(problems.length, 'problem')}:${lines.join('')}`)
    this.problems = problems
  }
}
