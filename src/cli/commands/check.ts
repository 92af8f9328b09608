/**
 * `api-mock check`: prints `ok` or every problem for each scenario file, and warnings about parts without effect.
 *
 *     ok scenario.yaml
 *     Scenario 'chat.yaml' has 1 problem:
 *       chat.yaml:2:21  replies[0].when.usr: unknown field 'usr'. Did you mean 'user'?
 */

import { countOf } from '../../core/lib/text/wording.ts'
import { lineOf, ScenarioError } from '../../core/scenario/check/problem.ts'
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import { loadFile } from '../../engine/node.ts'
import type { CheckSettings } from '../args/command-options.ts'

/** Prints the results in the order of the files; the exit code is 1 when any file has a problem. */
export async function check(paths: readonly string[], { json, strict }: CheckSettings): Promise<number> {
  const results: Awaited<ReturnType<typeof checkFile>>[] = []
  for (const path of paths) {
    const result = await checkFile(path, strict)
    results.push(result)
    if (!json) process.stdout.write(`${result.text}\n`)
  }
  const isOk = results.every(({ ok }) => ok)
  if (json) {
    // Programs read it; its form is documented.
    const files = results.map(({ file, ok, problems, warnings }) => {
      return { file, ok, problems: problems.length, warnings: warnings.length }
    })
    const listAll = (kind: 'problems' | 'warnings', severity: 'error' | 'warning') =>
      results.flatMap(({ file, [kind]: found }) =>
        found.map(({ path, message, line = null, column = null }) => ({ file, line, column, path, message, severity })),
      )
    const report = { ok: isOk, files, problems: listAll('problems', 'error'), warnings: listAll('warnings', 'warning') }
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  }
  return isOk ? 0 : 1
}

/** Checks one file. One with problems cannot be used. `text` is the result for people. */
async function checkFile(file: string, isStrict: boolean) {
  try {
    if (file === '') throw new Error("expected the path of a scenario file, got ''.")
    const { source, warnings } = await loadFile(file)
    // Compiled as well: a file is ok when a mock can start with it.
    compileScenario(source, { name: file, compilePattern })
    const ok = !isStrict || warnings.length === 0
    let text = ok ? `ok ${file}` : file
    if (warnings.length > 0) text += `, with ${countOf(warnings.length, 'warning')}:`
    for (const warning of warnings) text += `\n  ${lineOf(warning, file)}`
    return { file, ok, problems: [], warnings, text }
  } catch (error) {
    const { message } = error as Error
    const problems = error instanceof ScenarioError ? error.problems : [{ path: [], message }]
    const text = message.includes(file) ? message : `${file}: ${message}`
    return { file, ok: false, problems, warnings: [], text }
  }
}
