/**
 * Entries of the log, as lines of text or of JSON: calls, changes over the control plane, reloads of the scenario file.
 *
 *     POST /v1/chat/completions sk-XG6GW****wlmi 429 fault rate-limit 2 ms
 *     {"event":"call","time":"2026-11-23T15:04:05.678Z","number":3,"method":"POST",...}
 */
import type { JournalEntry } from '../../core/journal/entry.ts'
import { escapeControls } from '../../core/lib/text/wording.ts'
import { lineOf, type Problem } from '../../core/scenario/check/problem.ts'
import type { ControlChange } from '../../engine/index.ts'
import { jsonLine, type Paint } from '../../terminal/text.ts'

const MAX_PATH_LENGTH = 120
const MAX_WARNINGS = 20

/** `POST /v1/chat/completions sk-XG6GW****wlmi 429 fault rate-limit 2 ms`, and each note on a separate line below. */
export function callLine(entry: JournalEntry, paint: Paint): string {
  const { method, path, key, session, traceparent, status, state, reason, durationMs, outcome, notes } = entry
  const parts = [
    escapeControls(method),
    escapeControls(path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path),
    paint('dim', key === '' ? 'no key' : escapeControls(key)),
    statusText(status, paint),
    escapeControls(reason.by === reason.name ? reason.name : `${reason.by} ${reason.name}`),
    paint('dim', `${Math.round(durationMs)} ms`),
  ]
  if (session !== undefined) parts.push(paint('dim', `session ${session}`))
  if (traceparent !== undefined) parts.push(paint('dim', `trace ${traceparent.slice(3, 11)}`))
  if (state !== undefined) parts.push(paint('dim', `in ${state}`))
  const tier = entry.recording?.findings[0]?.tier ?? 'harmless'
  if (tier !== 'harmless') parts.push(paint('yellow', 'changed'))
  if (outcome !== 'complete') parts.push(paint('yellow', outcome))
  return [parts.join(' '), ...notes.map((note) => paint('yellow', `  ${escapeControls(note)}`))].join('\n')
}

/** The fields of a logged call, in the order of the line. */
// biome-ignore format: a list
const LOGGED = ['number', 'method', 'path', 'key', 'session', 'traceparent', 'model', 'attempt', 'state', 'status', 'reason', 'outcome', 'durationMs', 'notes'] as const

/** The event of a call, without bodies: a log is read by more people than the journal. */
export function callEvent(entry: JournalEntry): object {
  const logged = Object.fromEntries(LOGGED.map((name) => [name, entry[name]]))
  const durationMs = Math.round(entry.durationMs * 100) / 100
  return { event: 'call', time: new Date().toISOString(), ...logged, durationMs }
}

/** A line of a JSON log for an event that happens now. */
export const eventLine = (event: string, fields: object = {}): string =>
  jsonLine({ event, time: new Date().toISOString(), ...fields })

/** The status in its colour; `---` when nothing was sent. */
export function statusText(status: number, paint: Paint): string {
  if (status === 0) return paint('red', '---')
  if (status >= 200 && status < 400) return paint('green', String(status))
  return paint(status >= 400 && status < 500 ? 'yellow' : 'red', String(status))
}

/** `Control plane: inject rate-limit, session team-a, by the token of session team-a` */
export function changeText({ change, session, by }: ControlChange): string {
  const ofSession = session === undefined ? '' : `, session ${session}`
  return escapeControls(`Control plane: ${change}${ofSession}, by ${by}`)
}

/** The result of reading the scenario file again. */
export type ReloadEvent = { readonly file: string } & (
  | { readonly event: 'reloaded'; readonly changes: readonly string[]; readonly warnings: readonly Problem[] }
  | { readonly event: 'unchanged' }
  | { readonly event: 'refused'; readonly message: string; readonly problems: readonly Problem[] }
  | { readonly event: 'missing' }
)

/** `Reloaded scenario.yaml: replies 3 -> 4. Sessions whose scenario changed were reset.` */
export function reloadText(reload: ReloadEvent): string {
  switch (reload.event) {
    case 'reloaded': {
      const { file, changes, warnings } = reload
      const line = `Reloaded ${file}: ${changes.join(', ')}. Sessions whose scenario changed were reset.`
      return [line, ...warningLines(warnings, file)].join('\n')
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

/** One line for each part of a scenario that has no effect. */
export function warningLines(warnings: readonly Problem[], file: string): string[] {
  const lines = warnings.slice(0, MAX_WARNINGS).map((warning) => `Warning: ${escapeControls(lineOf(warning, file))}`)
  const more = warnings.length - lines.length
  return more === 0 ? lines : [...lines, `Warning: ... and ${more} more. See all: npx api-mock check ${file}`]
}
