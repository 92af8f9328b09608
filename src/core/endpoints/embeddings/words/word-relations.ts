/** Which groups of related words, and which topics, a word belongs to. */
import { RELATED_WORDS, TOPICS } from './word-lists.ts'

/** The numbers of the groups and topics that a word belongs to. */
interface Relations {
  readonly groups: number[]
  readonly topics: number[]
}

const NONE: Relations = { groups: [], topics: [] }
// Built on first use: most servers start without an embedding to make.
let relationsByStem: ReadonlyMap<string, Relations> | undefined

/** The relations of a stem; most stems have none. */
export function relationsOf(stemmed: string): Readonly<Relations> {
  relationsByStem ??= readRelations()
  return relationsByStem.get(stemmed) ?? NONE
}

function readRelations(): Map<string, Relations> {
  const byStem = new Map<string, Relations>()
  for (const [kind, lists] of [['groups', RELATED_WORDS] as const, ['topics', TOPICS] as const]) {
    for (const [number, list] of lists.split('\n').entries()) {
      for (const stemmed of list.split(' ')) {
        const relations = byStem.get(stemmed) ?? { groups: [], topics: [] }
        byStem.set(stemmed, relations)
        relations[kind].push(number)
      }
    }
  }
  return byStem
}
