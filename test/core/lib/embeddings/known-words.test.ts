/** The lists of related words and topics: everyday English, each thing said once. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { relationsOf } from '../../../../src/core/lib/embeddings/words/known-words.ts'
import { stem } from '../../../../src/core/lib/embeddings/words/stem.ts'

const groups = lists('related-words')
const topics = lists('topics')

test('a word is in the same group as its relatives, in any form', () => {
  const shared = (one: string, other: string) =>
    relationsOf(stem(one)).groups.some((group) => relationsOf(stem(other)).groups.includes(group))
  expect(shared('cars', 'automobile')).toBe(true)
  expect(shared('bought', 'purchases')).toBe(true)
  expect(shared('car', 'banana')).toBe(false)
})

test('a word is in the same topic as others that belong there', () => {
  const [football] = relationsOf(stem('goalkeeper')).topics
  expect(relationsOf(stem('stadiums')).topics).toContain(football)
  expect(relationsOf(stem('tax')).topics).not.toContain(football)
})

test('a word in no list is related to nothing', () => {
  expect(relationsOf('xylem')).toEqual({ groups: [], topics: [] })
  expect(relationsOf('constructor')).toEqual({ groups: [], topics: [] })
})

test('a list has two words or more, in lower case, none twice', () => {
  for (const list of [...groups, ...topics]) {
    expect(list.length).toBeGreaterThan(1)
    expect(new Set(list).size).toBe(list.length)
    for (const word of list) expect(word).toMatch(/^[a-z0-9]+$/)
  }
})

test('no group is part of another', () => {
  for (const group of groups) {
    const holders = groups.filter((other) => group.every((word) => other.includes(word)))
    expect(holders).toEqual([group])
  }
})

function lists(name: string): string[][] {
  const file = new URL(`../../../../src/core/lib/embeddings/words/${name}.txt`, import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.filter((line) => !line.startsWith('#')).map((line) => line.split(' '))
}
