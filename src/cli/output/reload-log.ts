/** What is told of a scenario besides its calls: what in it can do nothing, and what became of a change of its file. */

import type { Problem } from '../../core/scenario/diagnostics/problem.ts'
import { lineOf } from '../../core/scenario/diagnostics/problem-text.ts'

/** What became of a change of the file. */
export type ReloadEvent = { readonly file: string } & (
  | { readonly event: 'reloaded'; readonly changes: readonly string[]; readonly warnings: readonly Problem[] }
  | { readonly event: 'unchanged' }
  | { readonly event: 'refused'; readonly message: string; readonly problems: readonly Problem[] }
  | { readonly event: 'missing' }
)

/** For eyes. */
export function newsText(news: ReloadEvent): string {
  switch (news.event) {
    case 'reloaded':
      return [
        `Reloaded ${news.file}: ${news.changes.join(', ')}. Sessions begin anew.`,
        ...warningLines(news.warnings, news.file),
      ].join('\n')
    case 'unchanged':
      return `${news.file} says the same as before: nothing begins anew.`
    case 'refused':
      return `${news.message}\nThe last good scenario stays in force.`
    case 'missing':
      return `${news.file} is not there: the last good scenario stays in force.`
    default:
      return news satisfies never
  }
}

/** For programs. */
export function newsEvent(news: ReloadEvent): object {
  const { event, ...rest } = news
  return { event: `scenario-${event}`, time: new Date().toISOString(), ...rest }
}

const MAX_LINES = 20

/** One line each. */
export function warningLines(warnings: readonly Problem[], file: string): string[] {
  const lines = warnings.slice(0, MAX_LINES).map((warning) => `Warning: ${lineOf(warning, file)}`)
  if (warnings.length > MAX_LINES)
    lines.push(`Warning: ... and ${warnings.length - MAX_LINES} more. See all: api-mock check ${file}`)
  return lines
}
