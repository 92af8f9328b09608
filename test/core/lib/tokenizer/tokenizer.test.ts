/** Token counts and pieces of texts and messages. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countPrompt } from '../../../../src/core/decide/endpoints/generation/prompt.ts'
import { encodingOf } from '../../../../src/core/lib/tokenizer/tokenizer.ts'
import { tokenizer } from '../../../support/core.ts'

const o200k = tokenizer('o200k_base')
const cl100k = tokenizer('cl100k_base')
const promptOf = (message: object): number =>
  countPrompt({ messages: [{ role: 'user', ...message }], tools: [], schema: undefined, isReasoning: false }, o200k)
    .tokens

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
  expect(promptOf({ content: 'Say this is a test' })).toBe(12)
})

test('a name costs one token more than its text', () => {
  const plain = promptOf({ content: 'hi' })
  expect(promptOf({ content: 'hi', name: 'Bob' })).toBe(plain + 1 + o200k.count('Bob'))
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

// With quadratic steps each of these would take hours.
test.each([
  ['a letter', 'a', 125_000, 125_000],
  ['spaces', ' ', 7_813, 7_813],
  ['a Chinese character', '世', 1_000_000, 2_000_000],
])('a million characters of a text that repeats %s are counted', (_, unit, inO200k, inCl100k) => {
  const text = unit.repeat(1_000_000 / unit.length)
  expect([o200k.count(text), cl100k.count(text)]).toEqual([inO200k, inCl100k])
})

test('token ids decode to their text, and ids beyond the vocabulary to nothing', () => {
  const ids = [4438, 656, 358, 7738, 856, 3636, 30]
  expect(cl100k.decode(ids)).toBe('How do I reset my password?')
  expect(cl100k.decode([...ids, 199_999])).toBe('How do I reset my password?')
  expect(cl100k.decode([-1, 0.5, 100_256, 2 ** 40, Number.NaN])).toBe('')
})

test('a token that ends inside a character decodes to U+FFFD, and a byte order mark to itself', () => {
  expect(cl100k.decode([3305])).toBe('\uFEFF')
  expect(cl100k.decode([162])).toBe('\uFFFD')
})
