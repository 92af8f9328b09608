/**
 * Reads a scenario from text, YAML or JSON, with every problem at its line and column.
 *
 *   seed: 1
 *   sead: 2      ->  echo.yaml:2:1  sead: unknown field 'sead'. Did you mean 'seed'?
 */

import { checkSource } from '../check/check-source.ts'
import { findWarnings } from '../check/find-warnings.ts'
import { type Problem, ScenarioError } from '../check/problem.ts'
import { keepRuleLines } from '../check/rule-lines.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { type LocatedProblem, RESERVED, readYaml, type YamlReading } from './read-yaml.ts'

const MAX_LENGTH = 1_000_000
/** A text may have one token of YAML for each 10 characters that it may have. */
export const CHARACTERS_PER_TOKEN = 10
const EMPTY = 'expected a map, such as `description: My first scenario`, got an empty file.'

/**
 * Reads and checks a scenario.
 * @param fileName what messages call it.
 * @param maxLength how many characters it may have.
 * @throws ScenarioError with every problem at once, in the order of the file.
 * @example parseScenario('description: An echo.', 'echo.yaml')
 */
export const parseScenario = (text: string, fileName: string, maxLength?: number): ScenarioSource =>
  checkScenario(text, fileName, maxLength).source

/** A valid scenario with its warnings. */
export type CheckedScenario = Readonly<ReturnType<typeof checkScenario>>

/** The same, with the warnings. */
export function checkScenario(text: string, fileName: string, maxLength = MAX_LENGTH) {
  if (text.length > maxLength) {
    const message = `expected at most ${maxLength} characters (${maxLength / 1e6} MB), got ${text.length}.`
    throw new ScenarioError([{ path: [], message, line: 1, column: 1 }], fileName)
  }
  const reading = readYaml(text.replace(/^\uFEFF/, ''), maxLength / CHARACTERS_PER_TOKEN)
  const { value, problems: yamlProblems } = reading
  if (yamlProblems.length === 0 && (value === undefined || value === null))
    throw new ScenarioError(locate([{ path: [], message: EMPTY }], reading), fileName)
  const result = value === undefined ? { problems: [] } : checkSource(value)
  if (result.checked === undefined || yamlProblems.length > 0) {
    // The YAML reader has reported reserved keys already, with a better message.
    const isReserved = ({ path, isKey }: Problem) => isKey === true && Object.hasOwn(RESERVED, path.at(-1) ?? '')
    const problems = [...yamlProblems, ...result.problems.filter((problem) => !isReserved(problem))]
    throw new ScenarioError(locate(problems, reading), fileName)
  }
  const source = result.checked
  keepRuleLines(source, (path) => reading.positionOf(reading.offsetOf(path)).line)
  /** The warnings are in the order of the file, each with its line and column. */
  return { source, warnings: locate(findWarnings(source), reading) }
}

/** Gives problems of a valid text their lines and columns. */
export const locateProblems = (problems: readonly Problem[], text: string): Problem[] =>
  locate(problems, readYaml(text))

/** Gives problems their lines and columns, and sorts them by their places in the text. */
function locate(problems: readonly (Problem | LocatedProblem)[], { offsetOf, positionOf }: YamlReading): Problem[] {
  return problems
    .map((problem) => ({ offset: offsetOf(problem.path, problem.isKey), ...problem }))
    .sort((a, b) => a.offset - b.offset)
    .map(({ offset, ...problem }) => ({ ...problem, ...positionOf(offset) }))
}
