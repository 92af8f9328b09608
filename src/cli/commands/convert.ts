/**
 * `api-mock convert`: turns recordings and fixtures of other tools into a scenario.
 *
 *     chat.json (aimock): converted 18 of 19 fixtures.
 */

import { countOf, escapeControls } from '../../core/lib/text/wording.ts'
import { lineOf } from '../../core/scenario/check/problem.ts'
import { checkScenario } from '../../core/scenario/yaml/parse-scenario.ts'
import { MAX_BYTES } from '../../engine/node.ts'
import { CassetteFile, convertFiles, findFiles, Redactor, readDataFile } from '../../record/index.ts'
import { printError, shellWord } from '../../terminal/text.ts'
import type { ConvertSettings } from '../args/command-options.ts'

/** The most lines for the findings of one file, and for warnings. */
const MAX_LINES = 100
const ITEM_NAMES = { VCR: 'interaction', HAR: 'call', aimock: 'fixture' } as const

/** Writes the scenario and reports on stderr; the exit code is 1 when nothing could be converted. */
export async function convert(
  paths: readonly string[],
  { out, ignore, redact, force }: ConvertSettings,
): Promise<number> {
  // On stderr, because standard output may be the scenario.
  const report = (line: string): void => printError(escapeControls(line))
  const redactor = new Redactor(redact)
  const files = []
  for (const { path, isFound } of await findFiles(paths)) {
    try {
      files.push({ path, isFound, value: await readDataFile(path) })
    } catch (error) {
      // A file that was named has to be readable; of a folder, the files that are not are left out.
      if (!isFound) throw error
      report((error as Error).message)
    }
  }
  const output = out === undefined ? undefined : await CassetteFile.open(out, force)
  const { cassette, converted, leftOut } = convertFiles(files, redactor, ignore)
  for (const message of leftOut) report(message)
  for (const { path, findings } of converted) {
    // `chat.yaml: interactions[2] (GET https://api.openai.com/v1/models): not converted: ...`
    for (const { place, reason } of findings.slice(0, MAX_LINES)) report(`${path}: ${place}: ${reason}.`)
    if (findings.length > MAX_LINES) report(`${path}: ... and ${findings.length - MAX_LINES} more`)
  }
  if (cassette.requests === 0) {
    report('Nothing could be converted.')
    return 1
  }
  const text = cassette.toString()
  // The text is valid, because each rule was checked when it was added. This is for its warnings.
  const { warnings } = checkScenario(text, out ?? 'scenario', MAX_BYTES)
  for (const warning of warnings.slice(0, MAX_LINES)) report(`warning: ${lineOf(warning, out ?? 'scenario')}`)
  for (const { path, format, items, carried } of converted)
    report(`${path} (${format}): converted ${carried} of ${countOf(items, ITEM_NAMES[format])}.`)
  if (output === undefined) process.stdout.write(text)
  else {
    await output.save(() => text)
    report(`Wrote ${countOf(cassette.requests, 'rule')}. Run it: npx api-mock --scenario ${shellWord(out!)}`)
  }
  return 0
}
