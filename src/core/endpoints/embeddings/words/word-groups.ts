/** Which groups and fields a word stands in, by its stem. */

import { TOPICS } from '../topics.ts'
import { RELATED_WORDS } from './related-words.ts'
import { stem } from './stem.ts'

/** The numbers of the groups of related words, and of the topics, that a word stands in. */
interface Relations {
  readonly groups: number[]
  readonly topics: number[]
}

const NONE: Relations = { groups: [], topics: [] }
// Built when first asked for: it takes about 10 ms, and most servers start without an embedding to make.
let relationsByStem: ReadonlyMap<string, Relations> | undefined

/** What a stem is related to; most words are in no group and no topic. */
export function relationsOf(stemmed: string): Readonly<Relations> {
  relationsByStem ??= index()
  return relationsByStem.get(stemmed) ?? NONE
}

function index(): Map<string, Relations> {
  const found = new Map<string, Relations>()
  // A word often stands in several lists.
  const byWord = new Map<string, Relations>()
  for (const kind of ['groups', 'topics'] as const) {
    const lists = (kind === 'groups' ? RELATED_WORDS : TOPICS).split('|')
    for (const [number, list] of lists.entries()) {
      for (const word of list.trim().split(/\s+/)) {
        const relations = byWord.get(word) ?? ofStem(stem(word), found)
        byWord.set(word, relations)
        // Two forms of a word may stand in one list.
        if (relations[kind].at(-1) !== number) relations[kind].push(number)
      }
    }
  }
  return found
}

function ofStem(stemmed: string, found: Map<string, Relations>): Relations {
  const known = found.get(stemmed) ?? { groups: [], topics: [] }
  found.set(stemmed, known)
  return known
}
