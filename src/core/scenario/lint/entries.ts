/** The names that a scenario lists, its keys or its models: which of them are ever looked up, and for which names. */

import { toList } from '../../text/to-list.ts'
import { coversGlob, globsMeet } from '../conditions/kinds/glob-coverage.ts'
import { shown } from '../diagnostics/problem-text.ts'
import type { Path, Warning } from './warning.ts'

/** A listed name with its settings. */
export interface Entry<Settings> {
  readonly name: string
  readonly settings: Settings
}

/** Listed names in the order in which they are tried: exact ones first, then those with a star as they are written. */
export interface Entries<Settings> {
  /** Those that a name can reach. */
  readonly used: readonly Entry<Settings>[]
  /** Those that none can, each with the one before it that takes all its names. */
  readonly covered: readonly { readonly name: string; readonly by: string }[]
}

/** @param record undefined where any name is accepted; then there are no entries. */
export function readEntries<Settings>(
  record: Readonly<Record<string, Settings>> | undefined,
): Entries<Settings> | undefined {
  if (record === undefined) return undefined
  const all = Object.entries(record).map(([name, settings]) => ({ name, settings }))
  const globs = all.filter(({ name }) => name.includes('*'))
  const used = all.filter(({ name }) => !name.includes('*'))
  const covered: { name: string; by: string }[] = []
  // Of very many, those far behind are taken as used.
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
 * The names that a condition lets through, as lists of globs that all hold; none means that the condition never holds.
 * @param wanted what the condition wants; undefined for a rule without the condition.
 * @param entries undefined where any name is accepted.
 */
export function findNamesLetThrough<Settings>(
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

/** The entries that a glob's names can come to. */
function entriesFor<Settings>(glob: string, entries: readonly Entry<Settings>[]): readonly Entry<Settings>[] {
  const met = entries.filter(({ name }) => globsMeet(glob, name))
  // One name has one entry: the first that takes it.
  return glob.includes('*') ? met : met.slice(0, 1)
}

/** Warns of names behind a name with a star that takes all their calls. */
export function findCoveredEntries<Settings>(list: string, entries: Entries<Settings> | undefined): Warning[] {
  return (entries?.covered ?? []).map(({ name, by }) => ({
    path: [list, name] satisfies Path,
    message: `never used: ${shown(by)} comes first and matches every name that this matches. Move this up, or remove it.`,
    isKey: true,
  }))
}

/** The names of a condition that no listed name matches. */
export function findUnknownNames<Settings>(
  wanted: string | readonly string[] | undefined,
  entries: readonly Entry<Settings>[] | undefined,
): { readonly name: string; readonly path: Path }[] {
  if (entries === undefined) return []
  return toList(wanted).flatMap((name, index) => {
    if (entriesFor(name, entries).length > 0) return []
    return [{ name, path: Array.isArray(wanted) ? [index] : [] }]
  })
}
