/** A scenario from text, YAML or JSON, with every problem at its line and column. */

import { checkSource } from '../check/check-source.ts'
import { findWarnings } from '../check/find-warnings.ts'
import { type Problem, ScenarioError } from '../check/problem.ts'
import { keepRuleLines } from '../check/rule-lines.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { type LocatedProblem, RESERVED, readYaml, type YamlReading } from './read-yaml.ts'

const MAX_LENGTH = 1_000_000
/** A file may have a token of YAML for each so many characters that it may have. */
export const CHARACTERS_PER_TOKEN = 10
const EMPTY = 'expected a map, such as `description: My first scenario`, got an empty file.'

/** A valid scenario with its warnings. */
export interface CheckedScenario {
  readonly source: ScenarioSource
  /** In the order of the file, each with its line and column. */
  readonly warnings: readonly Problem[]
}

/**
 * Reads and checks a scenario.
 * @param fileName what messages call it.
 * @param maxLength how many characters it may have.
 * @throws ScenarioError with every problem at once, in the order of the file.
 * @example parseScenario('description: An echo.', 'echo.yaml')
 */
export const parseScenario = (text: string, fileName: string, maxLength?: number): ScenarioSource =>
  checkScenario(text, fileName, maxLength).source

/** The same, with the warnings. */
export function checkScenario(text: string, fileName: string, maxLength = MAX_LENGTH): CheckedScenario {
  if (text.length > maxLength) {
    const message = `expected at most ${maxLength} characters (${maxLength / 1e6} MB), got ${text.length}.`
    throw new ScenarioError([{ path: [], message, line: 1, column: 1 }], fileName)
  }
  const reading = readYaml(text.replace(/^\uFEFF/, ''), maxLength / CHARACTERS_PER_TOKEN)
  const { value, problems } = reading
  const isEmpty = problems.length === 0 && (value === undefined || value === null)
  if (isEmpty) throw new ScenarioError(inOrder([{ path: [], message: EMPTY }], reading), fileName)
  const { problems: found, checked } = value === undefined ? { problems: [] } : checkSource(value)
  if (checked !== undefined && problems.length === 0) {
    keepRuleLines(checked, (path) => reading.positionOf(reading.offsetOf(path)).line)
    return { source: checked, warnings: inOrder(findWarnings(checked), reading) }
  }
  // The YAML reader has reported reserved keys already, with a better message.
  const others = found.filter(({ path, isKey }) => !(isKey && Object.hasOwn(RESERVED, path.at(-1) ?? '')))
  throw new ScenarioError(inOrder([...problems, ...others], reading), fileName)
}

/** In the order of the file, each with its line and column. */
function inOrder(problems: readonly (Problem | LocatedProblem)[], { offsetOf, positionOf }: YamlReading): Problem[] {
  return problems
    .map((problem) => ({ offset: offsetOf(problem.path, problem.isKey), ...problem }))
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset, ...problem }) => ({ ...problem, ...positionOf(offset) }))
}
