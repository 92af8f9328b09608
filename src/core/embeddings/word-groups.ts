/** Which groups and fields a word stands in, by its stem. */
import { RELATED_WORDS } from './related-words.ts'
import { stem } from './stem.ts'
import { TOPICS } from './topics.ts'

/** The numbers of the groups of related words, and of the topics, that a word stands in. */
export interface Relations {
  readonly groups: readonly number[]
  readonly topics: readonly number[]
}

const NONE: Relations = { groups: [], topics: [] }
// Built when first asked for: it takes a few milliseconds, and most servers start without an embedding to make.
let relationsByStem: ReadonlyMap<string, Relations> | undefined

/** What a stem is related to; most words are in no group and no topic. */
export function relationsOf(stemmed: string): Relations {
  relationsByStem ??= index()
  return relationsByStem.get(stemmed) ?? NONE
}

function index(): Map<string, Relations> {
  const groups = numbersByStem(RELATED_WORDS.trim().split(/\s*[|\n]\s*/))
  const topics = numbersByStem(TOPICS.trim().split(/\s*\|\s*/))
  const stems = new Set([...groups.keys(), ...topics.keys()])
  return new Map([...stems].map((key) => [key, { groups: groups.get(key) ?? [], topics: topics.get(key) ?? [] }]))
}

function numbersByStem(lists: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [number, list] of lists.entries()) {
    for (const word of new Set(list.split(/\s+/).map(stem))) found.set(word, [...(found.get(word) ?? []), number])
  }
  return found
}
