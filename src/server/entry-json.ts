/** Entries of the journal as JSON. */
import type { JournalEntry } from '../core/journal/entry.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'

/** The answer with these calls, one at a time: a full journal takes a second. */
export function* journalJson(entries: readonly StoredExchange[]): Generator<string> {
  yield '{"entries":['
  for (const [index, entry] of entries.entries()) yield `${index === 0 ? '' : ','}${entryJson(entry.toJSON())}`
  yield ']}'
}

/** A body that is nested too deep for the stack is left out, and a note says so. Otherwise one call could hide all others. */
export function entryJson<Entry extends Pick<JournalEntry, 'body' | 'notes'>>(entry: Entry): string {
  try {
    return JSON.stringify(entry)
  } catch {
    const notes = [...entry.notes, 'The body is nested too deep to be shown.']
    return JSON.stringify({ ...entry, body: undefined, notes })
  }
}
