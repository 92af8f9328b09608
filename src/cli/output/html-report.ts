/**
 * The report of a run as one HTML file, which needs no server: the template of the build (src/console/report) with the report
 * and the most important calls inside, as JSON.
 */
import { readFile } from 'node:fs/promises'
import manifest from '../../../package.json' with { type: 'json' }
import { detailsOf } from '../../core/journal/call-details.ts'
import type { StoredExchange } from '../../core/journal/stored-exchange.ts'
import { maskKeysIn } from '../../core/lib/text/mask-keys.ts'
import type { ClientReport } from '../../core/report/client-report.ts'
import { orderByImportance, type PageReport } from '../../core/report/page-report.ts'
import type { Engine } from '../../engine/index.ts'
import { entryJson, textOf } from '../../server/index.ts'
import { shellWord } from '../../terminal/text.ts'

const TEMPLATE = new URL('../console/report.html', import.meta.url)

/** The bounds of the calls in the file. */
const LIMITS = {
  /** As many as the list of the page holds. */
  maxCalls: 10_000,
  /** Size of all calls as JSON; a browser reads this in a tenth of a second. */
  maxCharacters: 10_000_000,
  /** Size of one call as JSON. */
  maxCallCharacters: 500_000,
}

/** Share of the size of a large call that the data of its answer may take. JSON escapes its quotes, so it grows. */
const ANSWER_SHARE = 0.4

/** The parts of the page that the command of a run knows; the rest comes from the engine. */
type Run = Pick<PageReport, 'title' | 'summary' | 'failures' | 'run' | 'report'>

/** Describes a run that has just ended. @param exitCode that of the run, 1 if a report fails a command that passed */
export const describeRun = (command: readonly string[], startedAt: Date, exitCode: number): Run['run'] => ({
  exitCode,
  command: maskKeysIn(command.map(shellWord).join(' ')),
  startedAt: startedAt.toISOString(),
  durationMs: Date.now() - startedAt.getTime(),
  version: manifest.version,
})

/**
 * Writes the page.
 * @throws when the package was not built, so that there is no template.
 */
export async function formatHtml(run: Run, engine: Engine, template = TEMPLATE): Promise<string> {
  const page = await readFile(template, 'utf8')
  const { scenario } = engine
  const { calls, leftOut } = chooseCalls([...engine.journal], run.report, engine.clock.speed)
  // A file goes to more people than a mock: keys are masked as in the journal, and so are passwords in URLs.
  let text = maskKeysIn(textOf(scenario))
  for (const key of Object.keys(scenario.source.keys ?? {})) text = maskKeysIn(text, key)
  const data: Omit<PageReport, 'calls'> = {
    ...run,
    scenario: { name: scenario.name, text: text.replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, '$1****@') },
    clock: { now: engine.clock.now(), time: Date.now() },
    leftOut: leftOut + engine.journal.dropped,
  }
  const json = `${JSON.stringify(data).slice(0, -1)},"calls":[${calls.join()}]}`
  const title = `${run.run.exitCode === 0 ? 'Passed' : 'Failed'}: ${run.title}`
  const parts: Readonly<Record<string, string>> = {
    '{{title}}': title.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    // In JSON, these signs occur in texts only, where an escape means the same. Without them, no text can end the script.
    '{{report}}': json.replace(
      /[<>&\u2028\u2029]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  }
  return page.replace(/\{\{(?:title|report)\}\}/g, (name) => parts[name]!)
}

/** The most important calls that fit, as JSON, ascending by number; and how many others the run had. */
export function chooseCalls(
  exchanges: readonly StoredExchange[],
  report: Pick<ClientReport, 'findings' | 'misses'>,
  speed: number,
  { maxCalls, maxCharacters, maxCallCharacters } = LIMITS,
): { readonly calls: readonly string[]; readonly leftOut: number } {
  const chosen: { readonly number: number; readonly json: string }[] = []
  let charactersLeft = maxCharacters
  for (const exchange of orderByImportance(exchanges, report)) {
    if (chosen.length === maxCalls) break
    const json = formatCall(exchange, speed, maxCallCharacters)
    charactersLeft -= json.length
    if (charactersLeft < 0) break
    chosen.push({ number: exchange.number, json })
  }
  const calls = chosen.sort((a, b) => a.number - b.number).map(({ json }) => json)
  return { calls, leftOut: exchanges.length - calls.length }
}

/** A call as JSON. A long answer loses its end. If that is not enough, the call keeps its facts and loses its texts. */
function formatCall(exchange: StoredExchange, speed: number, maxCharacters: number): string {
  const call = detailsOf(exchange.toJSON(), speed, maxCharacters * ANSWER_SHARE)
  const json = entryJson(call)
  if (json.length <= maxCharacters) return json
  const note = `The body and the timeline are not in this file: ${json.length.toLocaleString('en')} characters.`
  const { body: _, timeline: __, toolResult: ___, ...facts } = call
  return JSON.stringify({ ...facts, user: call.prompt, notes: [...call.notes, note] })
}
