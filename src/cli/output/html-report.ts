/** The report of a run as one HTML file, which needs no server: the template of the build with the report inside. */
import { readFile } from 'node:fs/promises'
import { detailsOf } from '../../core/journal/call-details.ts'
import type { StoredExchange } from '../../core/journal/stored-exchange.ts'
import { maskKeysIn } from '../../core/lib/text/mask-keys.ts'
import type { ClientReport } from '../../core/report/client-report.ts'
import { orderByImportance, type PageReport } from '../../core/report/page-report.ts'
import type { Engine } from '../../engine/index.ts'
import { entryJson, textOf } from '../../server/index.ts'

const TEMPLATE = new URL('../console/report.html', import.meta.url)

/** The part of the calls that the file takes. */
const LIMITS = {
  /** As many as the list of the page holds. */
  maxCalls: 10_000,
  /** Of all calls as JSON; a browser reads this in a tenth of a second. */
  maxCharacters: 10_000_000,
  /** Of one call as JSON. */
  maxCallCharacters: 500_000,
}

/** Share of the size of a large call that the data of its answer may take. JSON escapes its quotes, so it grows. */
const ANSWER_SHARE = 0.4

type Run = Pick<PageReport, 'title' | 'summary' | 'failures' | 'run' | 'report'>

/** @throws when the package was not built. */
export async function formatHtml(run: Run, engine: Engine, template = TEMPLATE): Promise<string> {
  const page = await readFile(template, 'utf8')
  const { scenario } = engine
  const { calls, leftOut } = chooseCalls(engine.journal.exchanges, run.report, engine.clock.speed)
  // A file goes to more people than a mock: keys are masked as in the journal, and so are passwords in URLs.
  let text = maskKeysIn(textOf(scenario))
  for (const key of Object.keys(scenario.source.keys ?? {})) text = maskKeysIn(text, key)
  text = text.replace(/(:\/\/[^\s/:@]*:)[^\s/@]+@/g, '$1****@')
  const data: Omit<PageReport, 'calls'> = {
    ...run,
    scenario: { name: scenario.name, text },
    clock: { now: engine.clock.now(), time: Date.now() },
    leftOut: leftOut + engine.journal.missingCalls.dropped,
  }
  const json = `${JSON.stringify(data).slice(0, -1)},"calls":[${calls.join()}]}`
  const parts: Readonly<Record<string, string>> = {
    '{{title}}': `${run.run.exitCode === 0 ? 'Passed' : 'Failed'}: ${run.title}`.replace(
      /[&<>]/g,
      (sign) => `&#${sign.charCodeAt(0)};`,
    ),
    '{{report}}': escapeJson(json),
  }
  return page.replace(/\{\{(?:title|report)\}\}/g, (name) => parts[name]!)
}

/** In JSON, these signs occur in texts only, where an escape means the same. Without them, no text can end the script. */
export const escapeJson = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The calls for the page as JSON, ascending by number, and how many others the run had. */
export function chooseCalls(
  exchanges: readonly StoredExchange[],
  report: Pick<ClientReport, 'findings' | 'misses'>,
  speed: number,
  { maxCalls, maxCharacters, maxCallCharacters } = LIMITS,
): { readonly calls: readonly string[]; readonly leftOut: number } {
  const chosen: { readonly number: number; readonly json: string }[] = []
  let room = maxCharacters
  for (const exchange of orderByImportance(exchanges, report)) {
    if (chosen.length === maxCalls) break
    // A long answer loses its end first.
    const call = detailsOf(exchange.toJSON(), speed, maxCallCharacters * ANSWER_SHARE)
    let json = entryJson(call)
    if (json.length > maxCallCharacters) {
      // A large call keeps its facts and loses its texts.
      const note = `The body and the timeline are not in this file: ${json.length.toLocaleString('en')} characters.`
      const { body: _, timeline: __, toolResult: ___, ...rest } = call
      json = JSON.stringify({ ...rest, user: call.prompt, notes: [...call.notes, note] })
    }
    room -= json.length
    if (room < 0) break
    chosen.push({ number: exchange.number, json })
  }
  const calls = chosen.sort((a, b) => a.number - b.number).map(({ json }) => json)
  return { calls, leftOut: exchanges.length - calls.length }
}
