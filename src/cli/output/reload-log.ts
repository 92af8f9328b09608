/** Log entries about the scenario: what happened when its file changed, and warnings about parts without effect. */

import { escapeControls } from '../../core/lib/text/escape-controls.ts'
import type { Problem } from '../../core/scenario/check/problem.ts'
import { lineOf } from '../../core/scenario/check/problem-text.ts'

/** What happened when the file changed. */
export type ReloadEvent = { readonly file: string } & (
  | { readonly event: 'reloaded'; readonly changes: readonly string[]; readonly warnings: readonly Problem[] }
  | { readonly event: 'unchanged' }
  | { readonly event: 'refused'; readonly message: string; readonly problems: readonly Problem[] }
  | { readonly event: 'missing' }
)

export function reloadText(reload: ReloadEvent): string {
  switch (reload.event) {
    case 'reloaded': {
      const line = `Reloaded ${reload.file}: ${reload.changes.join(', ')}. All sessions were reset.`
      return [line, ...warningLines(reload.warnings, reload.file)].join('\n')
    }
    case 'unchanged':
      return `${reload.file} was saved without a change. Nothing was reset.`
    case 'refused':
      return `${reload.message}\nThe last good scenario stays active.`
    case 'missing':
      return `${reload.file} does not exist any more. The last good scenario stays active.`
    default:
      return reload satisfies never
  }
}

export function reloadEvent({ event, ...rest }: ReloadEvent): object {
  return { event: `scenario-${event}`, time: new Date().toISOString(), ...rest }
}

const MAX_LINES = 20

/** One line for each warning. */
export function warningLines(warnings: readonly Problem[], file: string): string[] {
  const lines = warnings.slice(0, MAX_LINES).map((warning) => `Warning: ${escapeControls(lineOf(warning, file))}`)
  if (warnings.length > MAX_LINES)
    lines.push(`Warning: ... and ${warnings.length - MAX_LINES} more. See all: api-mock check ${file}`)
  return lines
}
