/** The words of a text: how often each occurs, how much it weighs, and its neighbours. */
import { expect, test } from 'vitest'
import { countTerms, hashOfStem } from '../../../../src/core/lib/embeddings/terms.ts'
import { stem } from '../../../../src/core/lib/embeddings/words/stem.ts'

test('each piece is counted, a word by its letters alone', () => {
  expect(counts("The dog's bowl: the DOG, the bowl")).toEqual({ the: 3, dog: 2, bowl: 2, ':': 1, ',': 1 })
  expect(counts('1,000 in the U.S. at 3 p.m. e.g.')).toEqual({
    1000: 1,
    in: 1,
    the: 1,
    usa: 1,
    at: 1,
    3: 1,
    pm: 1,
    eg: 1,
  })
})

test("words with n't are two words", () => {
  expect(counts("can't won't isn't")).toEqual({ can: 1, will: 1, is: 1, not: 3 })
})

test('common and short words weigh less than others', () => {
  const { byPiece } = countTerms('the because people zz password')
  const weights = ['the', 'because', 'people', 'password'].map((word) => byPiece.get(word)!.weight)
  expect(weights).toEqual([0.12, 0.45, 0.6, 1])
  expect(byPiece.get('zz')!.weight).toBe(0.6)
})

test('neighbours are keyed by the compound of two words, and punctuation separates them', () => {
  const { neighbours } = countTerms('bird cages. Bird cage!')
  expect([...neighbours.keys()]).toEqual([hashOfStem(stem('birdcages'))])
  expect(neighbours.get(hashOfStem(stem('birdcage')))).toEqual({ weight: 1, count: 2 })
})

test('only a text of spaces and punctuation is blank', () => {
  for (const text of ['', ' \n', '...?!']) expect(countTerms(text).isBlank).toBe(true)
  for (const text of ['a', '7', '🎉', '好']) expect(countTerms(text).isBlank).toBe(false)
})

function counts(text: string): Record<string, number> {
  return Object.fromEntries([...countTerms(text).byPiece].map(([piece, { count }]) => [piece, count]))
}
