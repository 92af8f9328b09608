/** The judge is gpt-tokenizer: token lengths, counts and decoded texts are the same as its own. */
import fc from 'fast-check'
import cl100kRanks from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200kRanks from 'gpt-tokenizer/bpeRanks/o200k_base'
import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import { describe, expect, test } from 'vitest'
import { wordEnds } from '../../../../src/core/lib/tokenizer/split-words.ts'
import { tokenizer } from '../../../support/core.ts'
import { corpus, texts } from './corpus.ts'

/** By default the judge refuses a text that spells a special token. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() }

describe.each([
  { encoding: 'o200k_base', judge: o200k, ranks: o200kRanks, pattern: O200K_TOKEN_SPLIT_REGEX },
  { encoding: 'cl100k_base', judge: cl100k, ranks: cl100kRanks, pattern: CL100K_TOKEN_SPLIT_REGEX },
] as const)('$encoding', ({ encoding, judge, ranks, pattern }) => {
  const { count, cut, pieces, decode } = tokenizer(encoding)

  const expectSameWords = (text: string): void => {
    const words: string[] = []
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = wordEnds[encoding](text, start)
      words.push(text.slice(start, end))
    }
    expect(words).toEqual(text.match(pattern) ?? [])
  }

  const expectSameTokens = (text: string): void => {
    const ids = judge.encode(text, PLAIN_TEXT)
    const lengths = pieces(text).flatMap((piece) => piece.lengths ?? [Buffer.byteLength(piece.text)])
    expect(lengths).toEqual(ids.map((id) => Buffer.from(ranks[id]!).length))
    expect(count(text)).toBe(ids.length)
    expect(decode(ids)).toBe(Buffer.from(text).toString())
  }

  test.each(Object.entries(corpus))('%s', (_, text) => {
    expectSameWords(text)
    expectSameTokens(text)
  })

  test('any text', () => {
    const property = fc.property(texts, (text) => {
      expectSameWords(text)
      expectSameTokens(text)
    })
    fc.assert(property, { numRuns: 2000, seed: 12 })
  })

  test('a text is cut to the pieces that fit into a number of tokens', () => {
    const property = fc.property(texts, fc.nat(12), (text, maxTokens) => {
      let [length, tokens] = [0, 0]
      for (const piece of pieces(text)) {
        if (tokens + piece.tokens > maxTokens) break
        length += piece.text.length
        tokens += piece.tokens
      }
      expect(cut(text, maxTokens)).toEqual({ length, tokens })
    })
    fc.assert(property, { numRuns: 500, seed: 12 })
  })

  test('long words, in which tokens repeat and which end in the middle of one', () => {
    const part = fc
      .tuple(fc.constantFrom('a', 'ab', 'the', 'zq', 'é', '中', '世界', 'x9', 'Ab'), fc.integer({ min: 1, max: 300 }))
      .map(([text, times]) => text.repeat(times))
    const word = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
    const signs = fc
      .array(fc.tuple(fc.constantFrom(...'-=*/#._ \u00a0'), fc.integer({ min: 1, max: 400 })), { maxLength: 5 })
      .map((runs) => runs.map(([sign, times]) => sign.repeat(times)).join(''))
    const letters = fc.string({
      unit: fc.constantFrom(...'etaoinshrdlucmfwypvbgkqjxz'),
      minLength: 300,
      maxLength: 1500,
    })
    const property = fc.property(fc.oneof(word, signs, letters), expectSameTokens)
    fc.assert(property, { numRuns: 300, seed: 12 })
  })

  test('long runs of one kind of character, and what follows them', () => {
    const length = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 250, max: 260 }))
    const run = fc
      .tuple(fc.constantFrom(..."aAzZéÉ中ʰ\u0301 \n\r\t!/'\u0000\u007f\u200b😀1", 'aA', ' \n', "'S"), length)
      .map(([text, times]) => text.repeat(times))
    const property = fc.property(fc.array(run, { maxLength: 6 }), (runs) => expectSameWords(runs.join('')))
    fc.assert(property, { numRuns: 1500, seed: 12 })
  })

  test('any ids', () => {
    const id = fc.oneof(fc.nat(ranks.length + 10), fc.nat())
    const property = fc.property(fc.array(id, { maxLength: 20 }), (ids) => {
      expect(decode(ids)).toBe(Buffer.concat(ids.map((one) => Buffer.from(ranks[one] ?? ''))).toString())
    })
    fc.assert(property, { numRuns: 2000, seed: 12 })
  })
})
