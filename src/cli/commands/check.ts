/** `api-mock check`: scenario files, each `ok` or with every problem it has, and what in it can do nothing. */

import type { Problem } from '../../core/scenario/diagnostics/problem.ts'
import { lineOf } from '../../core/scenario/diagnostics/problem-text.ts'
import { ScenarioError } from '../../core/scenario/diagnostics/problems.ts'
import { compileLoaded } from '../../scenario-files/compile-loaded.ts'
import { isFile, loadScenario } from '../../scenario-files/load-scenario.ts'

export interface CheckSettings {
  /** Whether the result is one JSON object. */
  readonly json: boolean
  /** Whether a warning is as bad as a problem. */
  readonly strict: boolean
}

/** What was found in one file. */
interface Checked {
  readonly file: string
  /** A file with problems can't be used. */
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /** The problems as text. */
  readonly message?: string
}

/** Prints what it finds, in the order of the files; the exit code is 1 when any has a problem. */
export async function check(files: readonly string[], { json, strict }: CheckSettings): Promise<number> {
  const results: Checked[] = []
  for (const file of files) {
    const result = await checkFile(file)
    results.push(result)
    if (!json) process.stdout.write(`${textOf(result, strict)}\n`)
  }
  if (json) process.stdout.write(`${JSON.stringify(reportOf(results, strict), null, 2)}\n`)
  return results.every((result) => isOk(result, strict)) ? 0 : 1
}

const isOk = ({ problems, warnings }: Checked, strict: boolean): boolean =>
  problems.length === 0 && !(strict && warnings.length > 0)

async function checkFile(file: string): Promise<Checked> {
  try {
    const { name, source, warnings } = await loadScenario(asPath(file))
    // Compiling as well: a file is ok when a mock can start with it.
    await compileLoaded(source, name)
    return { file, problems: [], warnings }
  } catch (error) {
    const { message } = error as Error
    const problems = error instanceof ScenarioError ? error.problems : [{ path: [], message }]
    return { file, problems, warnings: [], message: message.includes(file) ? message : `${file}: ${message}` }
  }
}

/** Everything is a file here; to the loader a bare word is the name of a built-in scenario. */
const asPath = (file: string): string => (isFile(file) ? file : `./${file}`)

function textOf(result: Checked, strict: boolean): string {
  const { file, message, warnings } = result
  if (message !== undefined) return message
  if (warnings.length === 0) return `ok ${file}`
  const counted = warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`
  const lines = warnings.map((warning) => `\n  ${lineOf(warning, file)}`)
  return `${isOk(result, strict) ? 'ok ' : ''}${file}, with ${counted}:${lines.join('')}`
}

/** The form is documented in README.md: programs read it. */
function reportOf(results: readonly Checked[], strict: boolean): object {
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
