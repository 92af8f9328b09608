/**
 * `api-mock cassettes check`: shows which recordings are old, and which have to be made again.
 *
 *     cassettes/chat.yaml replies[0] chat gpt-5.2 (recorded on 2026-03-02, 266 days ago)
 *       worth a look: it is 266 days old
 *     1 recording, none to make again.
 */

import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { countOf, escapeControls } from '../../core/lib/text/wording.ts'
import { isModelEndpoint } from '../../core/protocol/request/endpoints.ts'
import { ScenarioError } from '../../core/scenario/check/problem.ts'
import type { SentRequest } from '../../engine/index.ts'
import {
  type CheckedCassette,
  type CheckedRecording,
  checkRecordings,
  findFiles,
  loadCassette,
  readDataFile,
  readPlainFile,
} from '../../record/index.ts'
import { createColors, type Paint, print, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { CassettesSettings } from '../args/command-options.ts'

/** Prints the findings; the exit code is 1 when something has to be recorded again, or a file cannot be checked. */
export async function checkCassettes(paths: readonly string[], settings: CassettesSettings): Promise<number> {
  if (paths.length === 0) throw new UsageError('Missing <files..>, as in: api-mock cassettes check cassettes/')
  const sent = settings.calls === undefined ? undefined : await readCalls(settings.calls)
  const { cassettes, unreadable } = await readCassettes(paths)
  const options = { today: new Date(), maxAgeDays: settings['max-age'], sent }
  const { recordings, unrecorded } = checkRecordings(cassettes, options)
  const recordAgain = recordings
    .filter(({ mustRecord, findings }) => {
      return mustRecord || (settings.strict && findings.some(({ tier }) => tier !== 'harmless'))
    })
    .map(({ file, rule }) => ({ file, rule }))
  const exitCode = recordAgain.length + unrecorded.length + unreadable.length > 0 ? 1 : 0
  if (settings.json) {
    print(JSON.stringify({ recordings, unrecorded, unreadable, recordAgain }, null, 2))
    return exitCode
  }
  for (const { file, reason } of unreadable) {
    const lines = `Failed to check '${file}': ${reason}`.split('\n')
    printError(lines.map(escapeControls).join('\n'))
  }
  const paint = createColors(process.stdout)
  for (const recording of recordings) if (recording.findings.length > 0) print(describeRecording(recording, paint))
  for (const { endpoint, body } of unrecorded)
    print(escapeControls(`not recorded: ${endpoint} ${String(body.model ?? '')} ${JSON.stringify(body).slice(0, 100)}`))
  const missing = unrecorded.length === 0 ? '' : `, ${unrecorded.length} missing`
  const total = countOf(recordings.length, 'recording') + missing
  print(recordAgain.length === 0 ? `${total}, none to make again.` : `${total}, ${recordAgain.length} to make again:`)
  for (const { file, rule } of recordAgain) print(escapeControls(`  ${file} ${rule}`))
  return exitCode
}

async function readCassettes(paths: readonly string[]) {
  const cassettes: CheckedCassette[] = []
  const unreadable: { readonly file: string; readonly reason: string }[] = []
  const files = new Map((await findFiles(paths, 'check')).map(({ path, isFound }) => [path, isFound]))
  for (const [file, isFound] of files) {
    try {
      cassettes.push({ file, source: await loadCassette(file) })
    } catch (error) {
      // One line in place of a problem for each field: a folder may have a package.json too.
      const isOther = isFound && error instanceof ScenarioError && (await isOtherFile(file))
      unreadable.push({ file, reason: isOther ? 'it is not a cassette.' : (error as Error).message })
    }
  }
  return { cassettes, unreadable }
}

/** True if a file has data, but no replies. */
async function isOtherFile(file: string): Promise<boolean> {
  const data = await readDataFile(file).catch(() => ({ replies: [] }))
  return !isObject(data) || !('replies' in data)
}

const COLOURS = { 'would be refused': 'red', 'worth a look': 'yellow', harmless: 'dim' } as const

/** A line for the recording, with its age, and a line for each finding, the worst tier first. */
function describeRecording(recording: CheckedRecording, paint: Paint): string {
  const { file, rule, endpoint, model, recordedOn, ageDays, findings } = recording
  const age = recordedOn === undefined ? '' : ` (recorded on ${recordedOn}, ${countOf(ageDays!, 'day')} ago)`
  const lines = findings.map(({ tier, text }) => `  ${paint(COLOURS[tier], tier)}: ${escapeControls(text)}`)
  return [escapeControls(`${file} ${rule} ${endpoint} ${model}${age}`), ...lines].join('\n')
}

/** The data in a page that `run --report html` writes. */
const PAGE_DATA = /<script type="application\/json"[^>]*>(.*?)<\/script>/s

/**
 * The requests in a journal: `{ "entries": [...] }` of the control plane, a list, or an entry on each line; or in a page of
 * `run --report html`, whose data is `{ "calls": [...] }`.
 */
async function readCalls(file: string): Promise<readonly SentRequest[]> {
  const failure = `Failed to read '${file}'`
  const text = await readPlainFile(file, failure)
  const content = parseJson(PAGE_DATA.exec(text)?.[1] ?? text)
  const list = isObject(content) ? (content.entries ?? content.calls) : content
  const entries: unknown[] = Array.isArray(list) ? list : text.split('\n').map(parseJson)
  const sent = entries.flatMap((entry): SentRequest | [] => {
    const { endpoint, body } = isObject(entry) ? entry : {}
    return typeof endpoint === 'string' && isModelEndpoint(endpoint) && isObject(body) ? { endpoint, body } : []
  })
  if (sent.length === 0)
    throw new Error(
      `${failure}: expected a journal with calls and their bodies, as GET /_mock/journal gives it, or a page of run --report html.`,
    )
  // A call that is sent again is the same request.
  return [...new Map(sent.map((request) => [JSON.stringify(request), request])).values()]
}
