/** `api-mock check`: prints `ok` or every problem for each scenario file, and warnings about parts without effect. */

import { countOf } from '../../core/lib/text/count-of.ts'
import type { Problem } from '../../core/scenario/check/problem.ts'
import { lineOf } from '../../core/scenario/check/problem-text.ts'
import { ScenarioError } from '../../core/scenario/check/problems.ts'
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import { loadFile } from '../../engine/scenario-files/scenario-file.ts'
import type { CheckSettings } from '../args/options.ts'

/** The result for one file. */
interface Checked {
  readonly file: string
  /** A file with problems cannot be used. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** The problems as text. */
  readonly message?: string
}

/** Prints the results in the order of the files; the exit code is 1 when any file has a problem. */
export async function check(files: readonly string[], { json, strict }: CheckSettings): Promise<number> {
  const results: Checked[] = []
  for (const file of files) {
    const result = await checkFile(file)
    results.push(result)
    if (!json) process.stdout.write(`${formatResult(result, strict)}\n`)
  }
  if (json) process.stdout.write(`${JSON.stringify(buildReport(results, strict), null, 2)}\n`)
  return results.every((result) => isOk(result, strict)) ? 0 : 1
}

const isOk = ({ problems, warnings }: Checked, strict: boolean): boolean =>
  problems.length === 0 && !(strict && warnings.length > 0)

async function checkFile(file: string): Promise<Checked> {
  try {
    if (file === '') throw new Error("expected the path of a scenario file, got ''.")
    const { source, warnings } = await loadFile(file)
    // Compiled as well: a file is ok when a mock can start with it.
    compileScenario(source, { name: file, compilePattern })
    return { file, problems: [], warnings }
  } catch (error) {
    const { message } = error as Error
    const problems = error instanceof ScenarioError ? error.problems : [{ path: [], message }]
    return { file, problems, warnings: [], message: message.includes(file) ? message : `${file}: ${message}` }
  }
}

function formatResult(result: Checked, strict: boolean): string {
  const { file, message, warnings } = result
  if (message !== undefined) return message
  if (warnings.length === 0) return `ok ${file}`
  const lines = warnings.map((warning) => `\n  ${lineOf(warning, file)}`)
  return `${isOk(result, strict) ? 'ok ' : ''}${file}, with ${countOf(warnings.length, 'warning')}:${lines.join('')}`
}

/** Programs read this; its form is documented. */
function buildReport(results: readonly Checked[], strict: boolean): object {
  const flat = (kind: 'problems' | 'warnings', severity: 'error' | 'warning'): object[] =>
    results.flatMap((result) =>
      result[kind].map(({ path, message, line = null, column = null }) => {
        return { file: result.file, line, column, path, message, severity }
      }),
    )
  return {
    ok: results.every((result) => isOk(result, strict)),
    files: results.map((result) => {
      const { file, problems, warnings } = result
      return { file, ok: isOk(result, strict), problems: problems.length, warnings: warnings.length }
    }),
    problems: flat('problems', 'error'),
    warnings: flat('warnings', 'warning'),
  }
}
