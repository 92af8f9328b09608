/** The prefixes of prompts, against a plain model: lists of pieces that are compared one by one. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Prompt } from '../../../../../src/core/decide/endpoints/generation/prompt.ts'
import { countPrompt, promptParts } from '../../../../../src/core/decide/endpoints/generation/prompt.ts'
import { findPrefixes } from '../../../../../src/core/decide/endpoints/generation/use-prompt-cache.ts'
import { readChatTools } from '../../../../../src/core/dialects/read-tools.ts'
import { tokenizer } from '../../../../support/core.ts'

const o200k = tokenizer('o200k_base')

const WORDS = [
  'alpha',
  ' beta',
  'γάμμα',
  ' 1234',
  '.\n',
  '\n\n',
  '日本語',
  '👩‍👩‍👧',
  ' ',
  'x'.repeat(40),
  '{"a":1}',
  "'ll",
]
const sentence = fc.array(fc.constantFrom(...WORDS), { maxLength: 400 }).map((words) => words.join(''))
const breakpoint = fc.option(fc.record({ mode: fc.constant('explicit'), ttl: fc.constantFrom('30m', '12h') }), {
  nil: undefined,
})
const contentPart = fc.oneof(
  fc.record({ type: fc.constant('text'), text: sentence, prompt_cache_breakpoint: breakpoint }),
  fc.record({
    type: fc.constant('image_url'),
    image_url: fc.record({ url: fc.constantFrom('https://a/1.png', 'https://a/2.png'), detail: fc.constant('high') }),
    prompt_cache_breakpoint: breakpoint,
  }),
)
const message = fc.record({
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  content: fc.oneof(sentence, fc.array(contentPart, { maxLength: 4 })),
  name: fc.option(fc.constantFrom('Bob', 'Alice'), { nil: undefined }),
})
const tool = fc.record({
  type: fc.constant('function'),
  function: fc.record({
    name: fc.constantFrom('get_weather', 'get_time'),
    description: sentence,
    parameters: fc.constantFrom({}, { properties: { city: { type: 'string', enum: ['Rome', 'Oslo'] } } }),
  }),
})
const prompt: fc.Arbitrary<Prompt> = fc
  .record({
    messages: fc.array(message, { minLength: 1, maxLength: 5 }),
    tools: fc.option(fc.array(tool, { minLength: 1, maxLength: 2 }), { nil: undefined }),
    schema: fc.constantFrom(undefined, { type: 'object', properties: { a: { type: 'string' } } }),
    isReasoning: fc.boolean(),
  })
  .map((one) => ({ ...one, tools: readChatTools({ tools: one.tools }).declared }))

/** A prompt as a list of what it consists of, each with its tokens. */
function unitsOf(one: Prompt): { readonly text: string; readonly tokens: number }[] {
  return promptParts(one).flatMap(({ frame, text, inserts = [] }) => {
    const units = [{ text: `frame ${frame}`, tokens: frame }]
    let at = 0
    const left = inserts.filter(({ kind }) => kind !== 'breakpoint')
    const take = (last: number): void => {
      while (left[0] !== undefined && left[0].at <= last) {
        const { tokens, identity } = left.shift()!
        units.push({ text: JSON.stringify(identity), tokens })
      }
    }
    for (const piece of o200k.pieces(text)) {
      take(at)
      const end = at + piece.text.length
      // An insert within a piece divides it.
      const cut = left[0] !== undefined && left[0].at < end ? left[0].at : end
      units.push({ text: text.slice(at, cut), tokens: piece.tokens })
      take(end - 1)
      if (cut < end) units.push({ text: text.slice(cut, end), tokens: 0 })
      at = end
    }
    take(text.length)
    return units
  })
}

const sumOf = (units: readonly { readonly tokens: number }[]): number => units.reduce((sum, one) => sum + one.tokens, 0)
const stepsUpTo = (tokens: number): number => (tokens < 1024 ? 0 : tokens - (tokens % 128))

test('the tokens of a prompt are those of its parts', () => {
  fc.assert(
    fc.property(prompt, (one) => {
      expect(countPrompt(one, o200k).tokens).toBe(sumOf(unitsOf(one)))
    }),
  )
})

test('a prompt has a prefix for each 128 tokens from 1,024 on, and none beyond its end', () => {
  fc.assert(
    fc.property(prompt, (one) => {
      const { tokens } = countPrompt(one, o200k)
      const { steps, turns, marked } = findPrefixes(one, '', o200k)
      expect(steps.at(-1)?.tokens ?? 0).toBe(stepsUpTo(tokens))
      expect(steps.map((step) => step.tokens)).toEqual(steps.map((_, index) => 1024 + 128 * index))
      for (const { tokens: at } of [...turns, ...marked]) expect(at >= 1024 && at <= tokens).toBe(true)
    }),
  )
})

/** Two prompts that begin alike. */
const related = fc
  .record({ first: prompt, more: fc.array(message, { maxLength: 3 }), kept: fc.nat(5), tail: sentence })
  .map(({ first, more, kept, tail }): [Prompt, Prompt] => {
    const messages = [...first.messages.slice(0, kept), ...more]
    const [last] = messages.slice(-1)
    const changed =
      typeof last?.content === 'string'
        ? [...messages.slice(0, -1), { ...last, content: last.content + tail }]
        : messages
    return [first, { ...first, messages: changed }]
  })

test('two prompts share the steps of their longest common beginning, and no others', () => {
  let shared = 0
  fc.assert(
    fc.property(related, ([first, second]) => {
      const [a, b] = [unitsOf(first), unitsOf(second)]
      let common = 0
      while (common < a.length && a[common]?.text === b[common]?.text && a[common]?.tokens === b[common]?.tokens)
        common++
      const expected = stepsUpTo(sumOf(a.slice(0, common)))
      const hashes = new Set(findPrefixes(first, '', o200k).steps.map(({ hash }) => hash))
      const found = findPrefixes(second, '', o200k).steps.findLast(({ hash }) => hashes.has(hash))
      expect(found?.tokens ?? 0).toBe(expected)
      if (expected > 0) shared++
    }),
    { numRuns: 300 },
  )
  expect(shared).toBeGreaterThan(10)
})

test('a breakpoint is where its part of the content ends, whatever follows', () => {
  const text = 'one two three. '.repeat(400)
  const part = { type: 'text', text: `${text}End.`, prompt_cache_breakpoint: { mode: 'explicit' } }
  const prefixOf = (...rest: object[]) => {
    const messages = [{ role: 'user', content: [part, ...rest] }]
    return findPrefixes({ messages, tools: [], schema: undefined, isReasoning: false }, '', o200k).marked
  }
  const [alone, before] = [prefixOf(), prefixOf({ type: 'text', text: 'And now?' })]
  expect(alone).toHaveLength(1)
  expect(before[0]!.hash).toBe(alone[0]!.hash)
})

test('a scope keeps equal prompts apart', () => {
  const messages = [{ role: 'user', content: 'word '.repeat(1100) }]
  const hashOf = (scope: string) =>
    findPrefixes({ messages, tools: [], schema: undefined, isReasoning: false }, scope, o200k).steps[0]!.hash
  expect(hashOf('a')).not.toBe(hashOf('b'))
})
