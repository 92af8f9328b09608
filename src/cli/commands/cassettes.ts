/** `api-mock cassettes check`: shows which recordings are old, and which have to be made again. */

import { TIERS } from '../../core/journal/entry.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { countOf, escapeControls } from '../../core/lib/text/wording.ts'
import { isModelEndpoint } from '../../core/protocol/request/endpoints.ts'
import type { SentRequest } from '../../engine/index.ts'
import { loadScenario } from '../../engine/node.ts'
import {
  type CheckedCassette,
  type CheckedRecording,
  checkRecordings,
  findFiles,
  readPlainFile,
  recordedCalls,
} from '../../record/index.ts'
import { createColors, type Paint, print, printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { CassettesSettings } from '../args/command-options.ts'

/** Prints the findings; the exit code is 1 when something has to be recorded again, or a file cannot be checked. */
export async function checkCassettes(paths: readonly string[], settings: CassettesSettings): Promise<number> {
  if (paths.length === 0) throw new UsageError('Missing <files..>, as in: api-mock cassettes check cassettes/')
  const sent = settings.calls === undefined ? undefined : await readCalls(settings.calls)
  const cassettes: CheckedCassette[] = []
  const unreadable: { readonly file: string; readonly reason: string }[] = []
  for (const file of new Set(await findFiles(paths, 'check'))) {
    try {
      const { source } = await loadScenario(/[/\\]/.test(file) ? file : `./${file}`)
      if (recordedCalls(source).length === 0) throw new Error('it has no recorded requests.')
      cassettes.push({ file, source })
    } catch (error) {
      unreadable.push({ file, reason: (error as Error).message })
    }
  }
  const options = { today: new Date(), maxAgeDays: settings['max-age'] ?? 180, sent }
  const { recordings, unrecorded } = checkRecordings(cassettes, options)
  const isAgain = ({ mustRecord, findings }: CheckedRecording): boolean =>
    mustRecord || (settings.strict && findings.some(({ tier }) => tier !== 'harmless'))
  const again = recordings.filter(isAgain)
  const exitCode = again.length + unrecorded.length + unreadable.length > 0 ? 1 : 0
  if (settings.json) {
    const recordAgain = again.map(({ file, rule }) => ({ file, rule }))
    print(JSON.stringify({ recordings, unrecorded, unreadable, recordAgain }, null, 2))
    return exitCode
  }
  for (const { file, reason } of unreadable) {
    const lines = `Failed to check '${file}': ${reason}`.split('\n')
    printError(lines.map(escapeControls).join('\n'))
  }
  const paint = createColors(process.stdout)
  const groups = new Map<string, CheckedRecording[]>()
  for (const one of recordings) {
    const name = `${one.endpoint} ${one.request}`
    if (one.findings.length > 0) groups.set(name, [...(groups.get(name) ?? []), one])
  }
  for (const group of groups.values()) print(describeRecordings(group, paint))
  for (const { endpoint, body } of unrecorded)
    print(escapeControls(`not recorded: ${endpoint} ${String(body.model ?? '')} ${JSON.stringify(body).slice(0, 100)}`))
  const total =
    countOf(recordings.length, 'recording') + (unrecorded.length === 0 ? '' : `, ${unrecorded.length} missing`)
  print(again.length === 0 ? `${total}, none to make again.` : `${total}, ${again.length} to make again:`)
  for (const { file, rule } of again) print(escapeControls(`  ${file} ${rule}`))
  return exitCode
}

const COLOURS = { 'would be refused': 'red', 'worth a look': 'yellow', harmless: 'dim' } as const

/** Describes the recordings of one request: several files may have it. */
function describeRecordings(group: readonly CheckedRecording[], paint: Paint): string {
  const [{ endpoint, model }] = group as [CheckedRecording]
  const places = group.map(({ file, rule, recordedOn, ageDays }) => {
    const age = recordedOn === undefined ? '' : ` (recorded on ${recordedOn}, ${countOf(ageDays!, 'day')} ago)`
    return [`${file} ${rule}`, age] as const
  })
  const findings = new Map(group.flatMap((one) => one.findings).map((finding) => [finding.text, finding]))
  const lines = TIERS.flatMap((tier) =>
    [...findings.values()]
      .filter((finding) => finding.tier === tier)
      .map(({ text }) => `  ${paint(COLOURS[tier], tier)}: ${escapeControls(text)}`),
  )
  const ages = new Set(places.map(([, age]) => age))
  const title =
    ages.size === 1
      ? `${places.map(([place]) => place).join(', ')} ${endpoint} ${model}${[...ages][0]}`
      : `${places.map((parts) => parts.join('')).join(', ')} ${endpoint} ${model}`
  return [escapeControls(title), ...lines].join('\n')
}

/**
 * The requests in a journal: `{ "entries": [...] }` of the control plane, a list, or an entry on each line. The page that
 * `run --report html` writes has the calls too, as `{ "calls": [...] }`.
 */
async function readCalls(file: string): Promise<readonly SentRequest[]> {
  const text = await readPlainFile(file, `Failed to read '${file}'`)
  const [, page] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(text) ?? []
  const whole = parseJson(page ?? text)
  const entries = isObject(whole) ? (whole.entries ?? (page && whole.calls)) : whole
  const all: unknown[] = Array.isArray(entries) ? entries : text.split('\n').map(parseJson)
  const sent = all.flatMap((entry): SentRequest | [] => {
    const { endpoint, body } = isObject(entry) ? entry : {}
    return typeof endpoint === 'string' && isModelEndpoint(endpoint) && isObject(body) ? { endpoint, body } : []
  })
  const isReport = isObject(whole) && Array.isArray(whole.findings)
  if (isReport)
    throw new Error(
      `Failed to read '${file}': a JSON report of api-mock run has no requests. Give the page that --report html --report-file run.html writes, or the journal of a server.`,
    )
  if (sent.length === 0)
    throw new Error(
      `Failed to read '${file}': expected a journal with calls and their bodies, as GET /_mock/journal gives it.`,
    )
  // A call that is sent again is the same request.
  return [...new Map(sent.map((one) => [JSON.stringify(one), one])).values()]
}
