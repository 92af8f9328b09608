/** One finished call as a log entry: a line of text, or an object for JSON. */
import type { JournalEntry } from '../../core/journal/entry.ts'
import { escapeControls } from '../../core/lib/text/escape-controls.ts'
import type { Paint } from '../../terminal/colors.ts'

const MAX_PATH_LENGTH = 120

/** `POST /v1/chat/completions sk-XG6GW****wlmi 429 fault rate-limit 2 ms`, and each note on a separate line below. */
export function callLine(entry: JournalEntry, paint: Paint): string {
  const { method, path, key, session, status, state, reason, durationMs, outcome, notes } = entry
  const parts = [
    escapeControls(method),
    escapeControls(path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path),
    paint('dim', key === '' ? 'no key' : escapeControls(key)),
    statusText(status, paint),
    escapeControls(reason.by === reason.name ? reason.name : `${reason.by} ${reason.name}`),
    paint('dim', `${Math.round(durationMs)} ms`),
  ]
  if (session !== undefined) parts.push(paint('dim', `session ${session}`))
  if (state !== undefined) parts.push(paint('dim', `in ${state}`))
  if (outcome !== 'complete') parts.push(paint('yellow', outcome))
  return [parts.join(' '), ...notes.map((note) => paint('yellow', `  ${escapeControls(note)}`))].join('\n')
}

/** Without bodies: a log is read by more people than the journal. */
export function callEvent(entry: JournalEntry): object {
  const { number, method, path, key, session, model, attempt, state, status, reason, outcome, durationMs, notes } =
    entry
  return {
    event: 'call',
    time: new Date().toISOString(),
    number,
    method,
    path,
    key,
    ...(session !== undefined && { session }),
    model,
    attempt,
    ...(state !== undefined && { state }),
    status,
    reason,
    outcome,
    durationMs: Math.round(durationMs * 100) / 100,
    notes,
  }
}

/** The status in its colour; `---` when nothing was sent. */
export function statusText(status: number, paint: Paint): string {
  if (status === 0) return paint('red', '---')
  if (status >= 200 && status < 400) return paint('green', String(status))
  return paint(status >= 400 && status < 500 ? 'yellow' : 'red', String(status))
}
