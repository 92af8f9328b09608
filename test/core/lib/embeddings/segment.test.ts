/** Pieces of a text by Unicode's rules, the same in every engine. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachPiece } from '../../../../src/core/lib/embeddings/segment.ts'

test('words keep their apostrophes, numbers their separators, abbreviations their dots', () => {
  expect(pieces("It’s John's U.S. tour: 1,000.50 a day")).toEqual([
    ["it's", 'word'],
    ["john's", 'word'],
    ['u.s.', 'word'],
    ['tour', 'word'],
    [':', 'mark'],
    ['1,000.50', 'word'],
    ['a', 'word'],
    ['day', 'word'],
  ])
})

test('case, accents, width and ligatures make no difference', () => {
  expect(pieces('Naïve CAFÉ ﬁne ＡＢＣ İstanbul')).toEqual(pieces('naive cafe fine abc istanbul'))
  expect(pieces('ｶﾞ')).toEqual(pieces('ガ'))
  expect(pieces('أُمّ')).toEqual(pieces('ام'))
})

test('scripts without spaces are runs of their own', () => {
  expect(pieces('今天AI很好')).toEqual([
    ['今天', 'dense'],
    ['ai', 'word'],
    ['很好', 'dense'],
  ])
  expect(pieces('ฉันชอบ 비밀번호')).toEqual([
    ['ฉันชอบ', 'unspaced'],
    ['비밀번호', 'syllables'],
  ])
  expect(pieces('नमस्ते')).toEqual([['नमस्ते', 'word']])
})

test('emoji are symbols, with or without modifiers and joiners', () => {
  expect(pieces('👨‍👩‍👧❤️🇩🇪').map(([piece]) => piece)).toEqual(['👨', '👩', '👧', '❤', '🇩🇪'])
  expect(pieces('👍🏽')).toContainEqual(['👍', 'symbol'])
})

test('lone surrogates, spaces and control characters are in no piece', () => {
  expect(pieces('\ud800 \udc00\t\0\u200b\n')).toEqual([])
})

test('no piece is longer than 64 characters and its ending, and none contains a space', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff)), (codeUnits) => {
      for (const [piece] of pieces(String.fromCharCode(...codeUnits).repeat(20))) {
        expect(piece.length).toBeLessThanOrEqual(2 * 64 + 3)
        expect(piece).not.toMatch(/\s/)
      }
    }),
  )
})

function pieces(text: string): [string, string][] {
  const found: [string, string][] = []
  eachPiece(text, (piece, kind) => found.push([piece, kind]))
  return found
}
