/** Merges the journals of several replicas into one, in the order in which the calls arrived. */

import type { JournalEntry } from '../core/journal/entry.ts'

/** A call of a fleet: its `number` and `at` are those of the merged journal. */
export interface FleetEntry extends JournalEntry {
  readonly replica: string
  /** Its number in the journal of the replica. */
  readonly replicaNumber: number
}

/** The journal of one replica, and the time of its clock when it was read. */
export interface ReplicaJournal {
  readonly target: string
  readonly entries: readonly JournalEntry[]
  readonly now: number
}

/**
 * All calls, numbered from 1. Clocks count from the start of their process, so they are aligned by the time at which they
 * were read; between machines that is exact to the time of one request.
 */
export function mergeJournals(journals: readonly ReplicaJournal[]): FleetEntry[] {
  const latest = Math.max(0, ...journals.map(({ now }) => now))
  return journals
    .flatMap(({ target, entries, now }) =>
      entries.map((entry) => ({
        ...entry,
        at: entry.at - now + latest,
        replica: target,
        replicaNumber: entry.number,
      })),
    )
    .sort((a, b) => a.at - b.at)
    .map((entry, index) => ({ ...entry, number: index + 1 }))
}

/** A key, or a session of it, that several replicas have served. Its limits and attempts are not counted together. */
export interface SplitKey {
  /** The masked key. */
  readonly key: string
  readonly session?: string
  /** The replicas in the order of their first calls, each with the number of that call. */
  readonly replicas: readonly { readonly target: string; readonly since: number }[]
}

export function findSplitKeys(entries: readonly FleetEntry[]): SplitKey[] {
  const byKey = new Map<string, { readonly entry: FleetEntry; readonly since: Map<string, number> }>()
  for (const entry of entries) {
    const { caller, session = '', replica, number } = entry
    if (caller === '') continue
    const name = `${caller} ${session}`
    const known = byKey.get(name) ?? { entry, since: new Map<string, number>() }
    if (!known.since.has(replica)) known.since.set(replica, number)
    byKey.set(name, known)
  }
  return [...byKey.values()]
    .filter(({ since }) => since.size > 1)
    .map(({ entry: { key, session }, since }) => ({
      key,
      ...(session !== undefined && { session }),
      replicas: [...since].map(([target, number]) => ({ target, since: number })),
    }))
}
