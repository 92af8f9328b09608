/** A scenario from text, YAML or JSON, with every problem at its line and column. */
import { checkSource, type Problem, ScenarioError } from '../core/scenario/problems.ts'
import { RESERVED, readYaml, type YamlReading } from '../core/scenario/read-yaml.ts'
import type { ScenarioSource } from '../core/scenario/schema.ts'

const MAX_LENGTH = 1_000_000
const CHARACTERS_PER_PIECE = 10

/**
 * Reads and checks a scenario.
 * @param fileName what messages call it.
 * @param maxLength how many characters it may have.
 * @throws ScenarioError with every problem at once, in the order of the file.
 * @example parseScenario('description: An echo.', 'echo.yaml')
 */
export function parseScenario(text: string, fileName: string, maxLength = MAX_LENGTH): ScenarioSource {
  if (text.length > maxLength) {
    const message = `found ${text.length} characters, allowed are ${maxLength} (${maxLength / 1e6} MB): make it smaller.`
    throw new ScenarioError([{ path: [], message, line: 1, column: 1 }], fileName)
  }
  const reading = readYaml(text.replace(/^\uFEFF/, ''), maxLength / CHARACTERS_PER_PIECE)
  const { problems, checked } = judge(reading)
  if (checked === undefined) throw new ScenarioError(problems, fileName)
  return checked
}

const EMPTY = 'found nothing in it, needed is at least a description: write `description: My first scenario`.'

function judge(reading: YamlReading): { problems: readonly Problem[]; checked?: ScenarioSource | undefined } {
  const { value, offsetOf } = reading
  const placed: Placed[] = [...reading.problems]
  if (placed.length === 0 && (value === undefined || value === null)) {
    placed.push({ path: [], offset: 0, message: EMPTY })
  } else if (value !== undefined) {
    const { problems, checked } = checkSource(value)
    if (checked !== undefined && placed.length === 0) return { problems, checked }
    for (const problem of problems) {
      // Reading the text has found these already, with the better word on them.
      if (problem.isKey && Object.hasOwn(RESERVED, problem.path.at(-1) ?? '')) continue
      placed.push({ ...problem, offset: offsetOf(problem.path, problem.isKey) })
    }
  }
  placed.sort((a, b) => a.offset - b.offset)
  return { problems: placed.map(({ offset, ...problem }) => ({ ...problem, ...reading.positionOf(offset) })) }
}

type Placed = Problem & { readonly offset: number }
