/** The keys or models that a scenario lists: which entries are used, and for which names. */

import { toList } from '../../../lib/text/to-list.ts'
import { coversGlob, globsMeet } from '../../conditions/kinds/glob-coverage.ts'
import type { Problem } from '../problem.ts'
import { shown } from '../problem-text.ts'

/** A listed name with its settings. */
export interface Entry<Settings> {
  readonly name: string
  readonly settings: Settings
}

/** Listed names in the order of lookup: exact names first, then globs in the order of the scenario. */
export interface Entries<Settings> {
  /** Entries that some name is looked up to. */
  readonly used: readonly Entry<Settings>[]
  /** Entries that are never used, each with the earlier glob that matches all its names. */
  readonly covered: readonly { readonly name: string; readonly by: string }[]
}

/** @param record undefined if any name is accepted. */
export function readEntries<Settings>(
  record: Readonly<Record<string, Settings>> | undefined,
): Entries<Settings> | undefined {
  if (record === undefined) return undefined
  const all = Object.entries(record).map(([name, settings]) => ({ name, settings }))
  const globs = all.filter(({ name }) => name.includes('*'))
  const used = all.filter(({ name }) => !name.includes('*'))
  const covered: { name: string; by: string }[] = []
  // Globs after the first 100 are not compared, and count as used.
  const compared = globs.slice(0, MAX_COMPARED)
  for (const [index, entry] of globs.entries()) {
    const by = compared.slice(0, index).find(({ name }) => coversGlob(name, entry.name))
    if (by === undefined) used.push(entry)
    else covered.push({ name: entry.name, by: by.name })
  }
  return { used, covered }
}

const MAX_COMPARED = 100

/**
 * The names that fulfil a condition. Each item is a list of globs that a name must all match; empty if no name can.
 * @param wanted the value of the condition; undefined for a rule without it.
 * @param entries undefined if any name is accepted.
 */
export function findMatchingNames<Settings>(
  wanted: string | readonly string[] | undefined,
  entries: readonly Entry<Settings>[] | undefined,
  counts: (settings: Settings) => boolean = () => true,
): (readonly string[])[] {
  if (entries === undefined) return toList(wanted ?? '*').map((glob) => [glob])
  const counted = (found: readonly Entry<Settings>[]) => found.filter(({ settings }) => counts(settings))
  if (wanted === undefined) return counted(entries).map(({ name }) => [name])
  return toList(wanted).flatMap((glob) =>
    counted(entriesFor(glob, entries)).map(({ name }) => (glob === name ? [name] : [glob, name])),
  )
}

/** The entries that names matching a glob can be looked up to. */
function entriesFor<Settings>(glob: string, entries: readonly Entry<Settings>[]): readonly Entry<Settings>[] {
  const met = entries.filter(({ name }) => globsMeet(glob, name))
  // A single name has one entry: the first that matches.
  return glob.includes('*') ? met : met.slice(0, 1)
}

/** Warns of entries that an earlier glob covers. */
export function findCoveredEntries<Settings>(list: string, entries: Entries<Settings> | undefined): Problem[] {
  return (entries?.covered ?? []).map(({ name, by }) => ({
    path: [list, name] satisfies Problem['path'],
    message: `never used: ${shown(by)} comes first and matches every name that this entry matches. Move this entry up, or remove it.`,
    isKey: true,
  }))
}

/** The names of a condition that no listed name matches. */
export function findUnknownNames<Settings>(
  wanted: string | readonly string[] | undefined,
  entries: readonly Entry<Settings>[] | undefined,
): { readonly name: string; readonly path: Problem['path'] }[] {
  if (entries === undefined) return []
  return toList(wanted).flatMap((name, index) => {
    if (entriesFor(name, entries).length > 0) return []
    return [{ name, path: Array.isArray(wanted) ? [index] : [] }]
  })
}
