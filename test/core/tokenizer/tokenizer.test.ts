import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countPrompt } from '../../../src/core/endpoints/chat/prompt-tokens.ts'
import { boundedParts, encodingOf } from '../../../src/core/tokenizer/tokenizer.ts'
import { tokenizer } from '../../support/core.ts'

const o200k = tokenizer('o200k_base')

test.each([
  ['gpt-4o-mini', 'o200k_base'],
  ['gpt-4.1-nano', 'o200k_base'],
  ['gpt-5-nano', 'o200k_base'],
  ['echo-1', 'o200k_base'],
  ['gpt-4', 'cl100k_base'],
  ['gpt-4-turbo', 'cl100k_base'],
  ['gpt-3.5-turbo', 'cl100k_base'],
  ['text-embedding-3-small', 'cl100k_base'],
])('%s uses %s', (model, encoding) => {
  expect(encodingOf(model)).toBe(encoding)
})

test('a prompt is 3 + 3 for each message + its role and content', () => {
  expect(countPrompt([{ role: 'user', content: 'Say this is a test' }], o200k, false)).toBe(12)
})

test('a name costs one token more than its text', () => {
  const plain = countPrompt([{ role: 'user', content: 'hi' }], o200k, false)
  expect(countPrompt([{ role: 'user', content: 'hi', name: 'Bob' }], o200k, false)).toBe(plain + 1 + o200k.count('Bob'))
})

test('text that spells a special token is counted as text', () => {
  expect(o200k.count('<|endoftext|>')).toBeGreaterThan(1)
})

test('the pieces of a text are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(
        o200k
          .pieces(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text)
    }),
  )
})

test('the tokens of all pieces are the tokens of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const tokens = o200k.pieces(text).reduce((sum, piece) => sum + piece.tokens, 0)
      expect(tokens).toBe(o200k.count(text))
    }),
  )
})

test('the joined parts are the text, and no part has a run of more than 256 letters', () => {
  const text = `${'a'.repeat(1000)} ${'😀'.repeat(500)} ordinary words ${' '.repeat(600)}`
  expect(boundedParts(text).join('')).toBe(text)
  for (const part of boundedParts(text)) expect(part).not.toMatch(/\p{L}{257}/u)
})

test('a megabyte of one letter is counted', () => {
  expect(o200k.count('a'.repeat(1_000_000))).toBe(125_000)
})

test('token ids decode to their text, and ids beyond the vocabulary to nothing', () => {
  const ids = [4438, 656, 358, 7738, 856, 3636, 30]
  expect(tokenizer('cl100k_base').decode(ids)).toBe('How do I reset my password?')
  expect(tokenizer('cl100k_base').decode([...ids, 199_999])).toBe('How do I reset my password?')
})
