/** Texts are cut between graphemes only. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastCut, mayCut } from '../../../../src/core/lib/text/graphemes.ts'

const boundaries = (text: string): Set<number> =>
  new Set([...new Intl.Segmenter().segment(text)].map(({ index }) => index).concat(text.length))

test('plain text can be cut anywhere', () => {
  expect([0, 1, 2, 3, 4].filter((place) => mayCut('text', place))).toEqual([0, 1, 2, 3, 4])
})

test.each([
  ['a surrogate pair', '😀', 1],
  ['a family joined by ZWJ', '👨‍👩‍👧', 2],
  ['a flag', '🇫🇷', 2],
  ['a letter and its accent', 'e\u0301', 1],
  ['a skin tone', '👍🏽', 2],
  ['a Hindi conjunct', 'क्ष', 2],
  ['conjoining Hangul', '\u1112\u1161\u11ab', 1],
  ['CR LF', '\r\n', 1],
])('%s is never cut', (_, text, place) => {
  expect(mayCut(text, place)).toBe(false)
})

test('every cut that it allows is a boundary of Unicode grapheme clusters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (graphemes, wild) => {
      for (const text of [graphemes, wild]) {
        const allowed = boundaries(text)
        for (let place = 0; place <= text.length; place++) {
          if (mayCut(text, place)) expect(allowed, JSON.stringify(text)).toContain(place)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('the last cut inside a family emoji is before it', () => {
  expect(lastCut('ab👨‍👩‍👧', 5)).toBe(2)
})
