/** Which groups of related words, and which topics, a word belongs to. */
import { type Relations, readRelations } from './read-lists.ts'

const NONE: Relations = { groups: [], topics: [] }
// Built on first use: most servers start without an embedding to make.
let relationsByStem: ReadonlyMap<string, Relations> | undefined

/** The relations of a stem; most stems have none. */
export function relationsOf(stemmed: string): Readonly<Relations> {
  relationsByStem ??= readRelations()
  return relationsByStem.get(stemmed) ?? NONE
}
