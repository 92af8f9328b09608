/** Entries of the journal as JSON. */
import type { JournalEntry } from '../core/journal/entry.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'

/** The body of the journal's route, in pieces of one call, because a full journal takes a second to write. */
export function* journalJson(entries: readonly StoredExchange[]): Generator<string> {
  yield '{"entries":['
  for (const [index, entry] of entries.entries()) yield `${index === 0 ? '' : ','}${entryJson(entry.toJSON())}`
  yield ']}'
}

/**
 * An entry as JSON. A body that is nested too deep for the stack is left out, and a note says so: otherwise one such call
 * would make the whole journal unreadable.
 */
export function entryJson<Entry extends Pick<JournalEntry, 'body' | 'notes'>>(entry: Entry): string {
  try {
    return JSON.stringify(entry)
  } catch {
    const notes = [...entry.notes, 'The body is nested too deep to be shown.']
    return JSON.stringify({ ...entry, body: undefined, notes })
  }
}
