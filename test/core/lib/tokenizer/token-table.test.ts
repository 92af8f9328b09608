/** The table of tokens: in memory, and as a file. */
import { expect, test } from 'vitest'
import { tableFile } from '../../../../scripts/token-tables.ts'
import { NO_RANK, TokenTable } from '../../../../src/core/lib/tokenizer/token-table.ts'

const texts = ['a', 'b', 'ab', 'é', ...Array.from({ length: 5000 }, (_, number) => `token ${number}`)]
const tokens = texts.map((text) => Buffer.from(text))
const packed = Buffer.concat(tokens.flatMap((bytes) => [Buffer.of(bytes.length), bytes]))
const table = new TokenTable(packed)
const rankOf = (text: string, of = table): number => of.rankOf(Buffer.from(text), 0, Buffer.byteLength(text))

test('the ranks of tokens are in the order of their ids', () => {
  const ranks = texts.map((text) => rankOf(text))
  expect(ranks[0]).toBe(0)
  expect(ranks).toEqual([...new Set(ranks)].sort((one, other) => one - other))
})

test('a token is found inside of other bytes', () => {
  expect(table.rankOf(Buffer.from('xaby'), 1, 3)).toBe(rankOf('ab'))
})

test('bytes that are no token have no rank', () => {
  for (const text of ['c', 'ba', 'aba', '', 'token 5000', 'a'.repeat(300)]) expect(rankOf(text)).toBe(NO_RANK)
})

test('a table has the bytes of each token, and none for an unknown id', () => {
  expect(tokens.map((_, id) => Buffer.from(table.bytesOf(id)))).toEqual(tokens)
  for (const id of [-1, tokens.length, 0.5, Number.NaN]) expect(table.bytesOf(id)).toHaveLength(0)
})

test('a table read from its file is the same', () => {
  const copy = TokenTable.ofFile(tableFile(packed))
  expect(texts.map((text) => rankOf(text, copy))).toEqual(texts.map((text) => rankOf(text)))
  expect(tokens.map((_, id) => Buffer.from(copy.bytesOf(id)))).toEqual(tokens)
})
