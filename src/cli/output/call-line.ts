/** One ended call as a line: for eyes, or as an object for programs. */
import type { JournalEntry } from '../../core/journal/entry.ts'
import type { Paint } from './colors.ts'

const MAX_PATH_LENGTH = 120

/** `POST /v1/chat/completions …wxyz 429 fault rate-limit 2 ms`, and each note on a line of its own below. */
export function callLine(entry: JournalEntry, paint: Paint): string {
  const { method, path, key, status, state, reason, durationMs, outcome, notes } = entry
  const parts = [
    plain(method),
    plain(path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path),
    paint('dim', keyTail(key)),
    paint(colourOf(status), status === 0 ? '---' : String(status)),
    plain(reason.by === reason.name ? reason.name : `${reason.by} ${reason.name}`),
    paint('dim', `${Math.round(durationMs)} ms`),
  ]
  if (state !== undefined) parts.push(paint('dim', `in ${state}`))
  if (outcome !== 'complete') parts.push(paint('yellow', outcome))
  return [parts.join(' '), ...notes.map((note) => paint('yellow', `  ${plain(note)}`))].join('\n')
}

/** Bodies stay out of it: a log travels further than a journal. */
export function callEvent(entry: JournalEntry): object {
  const { number, method, path, key, model, attempt, state, status, reason, outcome, durationMs, notes } = entry
  return {
    event: 'call',
    time: new Date().toISOString(),
    number,
    method,
    path,
    key,
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

/** The last characters of a key that came masked: `sk-XG6GW****wlmi` is `…wlmi`. */
function keyTail(key: string): string {
  if (key === '') return 'no key'
  const tail = key.slice(key.lastIndexOf('*') + 1)
  return tail === '' ? key : `…${plain(tail)}`
}

function colourOf(status: number): 'green' | 'yellow' | 'red' {
  if (status >= 200 && status < 400) return 'green'
  return status >= 400 && status < 500 ? 'yellow' : 'red'
}

/** Without control characters: what a caller sends is not to move the cursor of whoever reads the log. */
export const plain = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '�')
