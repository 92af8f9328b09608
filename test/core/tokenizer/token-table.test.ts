/** The table of tokens: in memory, and as a file. */
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base'
import { expect, test } from 'vitest'
import { TokenTable } from '../../../src/core/tokenizer/token-table.ts'

const tokens = ['a', 'b', 'ab', 'é'].map((text) => Buffer.from(text))
const table = new TokenTable(Buffer.concat([Buffer.of(1, 1, 2, 2, 0), ...tokens]))

test('a table finds tokens by their bytes, and nothing else', () => {
  expect(tokens.map((bytes) => table.find(bytes, 0, bytes.length))).toEqual([0, 1, 2, 3])
  expect(table.find(Buffer.from('xaby'), 1, 3)).toBe(2)
  for (const text of ['c', 'ba', 'aba', '']) expect(table.find(Buffer.from(text), 0, text.length)).toBe(-1)
})

test('a table has the bytes of each token, and none for an unknown id', () => {
  expect([0, 1, 2, 3].map((id) => Buffer.from(table.bytesOf(id)))).toEqual(tokens)
  for (const id of [-1, 4, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) expect(table.bytesOf(id)).toHaveLength(0)
})

test('a table read from its file is the same', () => {
  const copy = TokenTable.ofFile(table.toFile())
  expect(copy.slots).toEqual(table.slots)
  expect(copy.tokens).toEqual(new Uint8Array(table.tokens))
})

test('a table of 100,000 tokens finds each of them', () => {
  const all = ranks.map((token) => Buffer.from(token))
  const large = new TokenTable(Buffer.concat([Buffer.from(all.map(({ length }) => length)), Buffer.of(0), ...all]))
  expect(all.findIndex((bytes, id) => large.find(bytes, 0, bytes.length) !== id)).toBe(-1)
})
