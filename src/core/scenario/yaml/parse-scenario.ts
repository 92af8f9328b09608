/** A scenario from text, YAML or JSON, with every problem at its line and column. */

import { checkSource } from '../check/check-source.ts'
import { findWarnings } from '../check/find-warnings.ts'
import { type Problem, ScenarioError } from '../check/problem.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { RESERVED, readYaml, type YamlReading } from './read-yaml.ts'

const MAX_LENGTH = 1_000_000
const CHARACTERS_PER_TOKEN = 10

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
export function parseScenario(text: string, fileName: string, maxLength = MAX_LENGTH): ScenarioSource {
  return readText(text, fileName, maxLength).source
}

/** The same, with the warnings. */
export function checkScenario(text: string, fileName: string, maxLength = MAX_LENGTH): CheckedScenario {
  const { source, reading } = readText(text, fileName, maxLength)
  const warnings = findWarnings(source).map(({ path, message, isKey }) => {
    return { path, message, offset: reading.offsetOf(path, isKey) }
  })
  return { source, warnings: inOrder(warnings, reading) }
}

function readText(text: string, fileName: string, maxLength: number): { source: ScenarioSource; reading: YamlReading } {
  if (text.length > maxLength) {
    const message = `expected at most ${maxLength} characters (${maxLength / 1e6} MB), got ${text.length}.`
    throw new ScenarioError([{ path: [], message, line: 1, column: 1 }], fileName)
  }
  const reading = readYaml(text.replace(/^\uFEFF/, ''), maxLength / CHARACTERS_PER_TOKEN)
  const { problems, checked } = judge(reading)
  if (checked === undefined) throw new ScenarioError(problems, fileName)
  return { source: checked, reading }
}

const EMPTY = 'expected a map, such as `description: My first scenario`, got an empty file.'

function judge(reading: YamlReading): { problems: readonly Problem[]; checked?: ScenarioSource | undefined } {
  const { value, offsetOf } = reading
  const located: LocatedProblem[] = [...reading.problems]
  if (located.length === 0 && (value === undefined || value === null)) {
    located.push({ path: [], offset: 0, message: EMPTY })
  } else if (value !== undefined) {
    const { problems, checked } = checkSource(value)
    if (checked !== undefined && located.length === 0) return { problems, checked }
    for (const problem of problems) {
      // The YAML reader has reported these already, with a better message.
      if (problem.isKey && Object.hasOwn(RESERVED, problem.path.at(-1) ?? '')) continue
      located.push({ ...problem, offset: offsetOf(problem.path, problem.isKey) })
    }
  }
  return { problems: inOrder(located, reading) }
}

type LocatedProblem = Problem & { readonly offset: number }

/** In the order of the file, each with its line and column. */
function inOrder(located: readonly LocatedProblem[], { positionOf }: YamlReading): Problem[] {
  const sorted = [...located].sort((a, b) => a.offset - b.offset)
  return sorted.map(({ offset, ...problem }) => ({ ...problem, ...positionOf(offset) }))
}
