/** Entries of the journal as JSON. */
import type { JournalEntry } from '../core/journal/entry.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'
// A test that fakes timers does not fake this one.
import { setImmediate } from '../engine/node.ts'

/** Characters to write in one turn of the event loop. */
const TURN_LENGTH = 100_000

/** The body of the journal's route, in pieces of one call. A full journal takes a second to write, so calls come in between. */
export async function* journalJson(entries: readonly Pick<StoredExchange, 'toJSON'>[]): AsyncGenerator<string> {
  yield '{"entries":['
  let length = 0
  for (const [index, entry] of entries.entries()) {
    const piece = `${index === 0 ? '' : ','}${entryJson(entry.toJSON())}`
    yield piece
    length += piece.length
    if (length < TURN_LENGTH) continue
    length = 0
    await new Promise((resolve) => setImmediate(resolve))
  }
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
