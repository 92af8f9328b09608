/** English stems: one for all forms of a word, and none shared by words that are merely near. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stem, stemOfBoth } from '../../../../src/core/lib/embeddings/words/stem.ts'

test.each([
  ['arrive', 'arrives', 'arrived', 'arriving'],
  ['make', 'makes', 'made', 'making'],
  ['run', 'runs', 'ran', 'running'],
  ['close', 'closes', 'closed', 'closing'],
  ['cancel', 'cancels', 'canceled', 'cancelled', 'cancelling'],
  ['install', 'installs', 'installed', 'installing'],
  ['discuss', 'discusses', 'discussed', 'discussing'],
  ['study', 'studies', 'studied', 'studying'],
  ['agree', 'agrees', 'agreed', 'agreement'],
  ['strike', 'strikes', 'struck', 'striking'],
  ['forgive', 'forgives', 'forgave', 'forgiving'],
  ['become', 'becomes', 'became', 'becoming'],
  ['evacuate', 'evacuated', 'evacuation'],
  ['box', 'boxes'],
  ['house', 'houses', 'housing'],
  ['city', 'cities'],
  ['child', 'children'],
  ['tie', 'ties'],
  ['fly', 'flies'],
  ['sky', 'skies'],
  ['quick', 'quickly'],
  ['happy', 'happily'],
])('forms of "%s" share a stem', (word, ...forms) => {
  for (const form of forms) expect(stem(form)).toBe(stem(word))
})

test.each([
  ['plan', 'plane'],
  ['car', 'care'],
  ['new', 'news'],
  ['thing', 'th'],
  ['need', 'ne'],
  ['bus', 'bu'],
  ['string', 'str'],
])('"%s" and "%s" are different words', (one, other) => {
  expect(stem(one)).not.toBe(stem(other))
})

test('two words have the stem of their compound', () => {
  expect(stemOfBoth(stem('bird'), stem('cages'))).toBe(stem('birdcage'))
  expect(stemOfBoth(stem('web'), stem('sites'))).toBe(stem('websites'))
})

test('words that are not plain a-z come back as they are', () => {
  for (const word of ['läuft', '12345s', 'приветствующие', 'us', '']) expect(stem(word)).toBe(word)
})

test('a stem is at most one letter longer than its word', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{5,20}$/), (word) => {
      expect(stem(word).length).toBeLessThanOrEqual(word.length + 1)
    }),
  )
})
