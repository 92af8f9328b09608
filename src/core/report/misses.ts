/** Finds the calls for which a scenario has no answer: nothing was recorded for them, or no rule matches. */
import type { JournalEntry } from '../journal/entry.ts'

/** A request without an answer. */
export interface MissedCall {
  /** The numbers of the calls; a client may have retried. */
  readonly calls: number[]
  /** The masked key. */
  readonly key: string
  /** The nearest rule: `replies[2]`; left out if no rule is near, or if the journal has freed it. */
  readonly rule?: string
  /** The nearest rule and what differs from it. */
  readonly text: string
}

/** One item for each request of a key, in the order of the first calls. */
export function findMisses(entries: Iterable<JournalEntry>): MissedCall[] {
  const byRequest = new Map<string, MissedCall>()
  for (const entry of entries) {
    if (!isMiss(entry)) continue
    const { number, key, nearMiss } = entry
    const name = `${entry.caller} ${entry.request}`
    const known = byRequest.get(name)
    if (known !== undefined) {
      known.calls.push(number)
      continue
    }
    const text = nearMiss?.text ?? `no rule for ${entry.endpoint} with model '${entry.model}'`
    byRequest.set(name, { calls: [number], key, ...(nearMiss && { rule: nearMiss.rule }), text })
  }
  return [...byRequest.values()]
}

const isMiss = ({ reason: { by, name } }: JournalEntry): boolean =>
  by === 'request' && (name === 'not-recorded' || name === 'no-match')
