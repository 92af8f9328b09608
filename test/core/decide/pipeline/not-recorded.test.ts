/** A call that a cassette has no answer for: the nearest recording, and what differs from it. */
import { expect, test } from 'vitest'
import { prepareSource } from '../../../../src/core/scenario/check/prepare-source.ts'
import type { ScenarioInput } from '../../../../src/index.ts'
import { mockWith } from '../../../support/core.ts'

type Rule = NonNullable<ScenarioInput['replies']>[number]
const recording = (request: object, more: object = {}): Rule => ({
  when: { ...more, request: { ...request } },
  answer: { body: '{}' },
})
const chat = (...contents: string[]) => ({
  model: 'm',
  messages: contents.map((content) => ({ role: 'user', content })),
})
const messageOf = (replies: readonly Rule[], body: object, path?: string): string =>
  mockWith(prepareSource({ replies })).json({ body, ...(path !== undefined && { path }) }).error.message

test('the message names the nearest recording and its differences, path by path', () => {
  const replies = [
    recording(chat('What is the capital of Peru?')),
    recording(chat('How is the weather in Rome?')),
    recording({ ...chat('Anything'), temperature: 1, seed: 7 }),
  ]
  expect(messageOf(replies, chat('How is the weather in Oslo?'))).toBe(
    "No answer was recorded for this request (chat, model 'm'). " +
      "replies[1] nearly matched: expected request.messages[0].content 'How is the weather in Rome?', got 'How is the weather in Oslo?'. " +
      'Record the call with `api-mock record --hybrid --upstream <url> --out <cassette>`, or name what may differ under `ignore`.',
  )
})

test.each<[what: string, recorded: object, sent: object, text: string]>([
  ['a missing field', { a: 1, b: { c: [1] } }, { a: 1 }, 'expected request.b {"c":[1]}, got none'],
  ['a field too many', { a: 1 }, { a: 1, b: null }, 'expected request.b none, got null'],
  ['another type', { a: [1] }, { a: { b: 1 } }, 'expected request.a [1], got {"b":1}'],
  ['an item too many', { a: [1] }, { a: [1, 2] }, 'expected request.a[1] none, got 2'],
  ['a name with a dot', { 'x.y': 1 }, { 'x.y': 2 }, "expected request['x.y'] 1, got 2"],
  [
    'long texts, from shortly before their difference',
    { a: `${'so '.repeat(40)}and then Rome` },
    { a: `${'so '.repeat(40)}and then Oslo` },
    "expected request.a '…so and then Rome', got '…so and then Oslo'",
  ],
  [
    'many differences, of which it shows four',
    { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 },
    { a: 2, b: 2, c: 2, d: 2, e: 2, f: 2 },
    'expected request.a 1, got 2; expected request.b 1, got 2; expected request.c 1, got 2; expected request.d 1, got 2; 2 more differences',
  ],
])('the message shows %s', (_, recorded, sent, text) => {
  expect(messageOf([recording({ model: 'm', ...recorded })], { model: 'm', ...sent })).toContain(
    `replies[0] nearly matched: ${text}. Record`,
  )
})

test('text that is redacted or ignored is no difference', () => {
  const mock = mockWith(
    prepareSource({ ignore: ['user'], replies: [recording({ model: 'm', user: 'a', stop: 'I am [redacted]', n: 1 })] }),
  )
  const { message } = mock.json({ body: { model: 'm', user: 'b', stop: 'I am Jo', n: 2 } }).error
  expect(message).toContain('replies[0] nearly matched: expected request.n 1, got 2. ')
})

test('a recording comes before a rule with fewer differences', () => {
  const replies: Rule[] = [{ when: { user: 'weather' }, say: 'Sunny.' }, recording({ ...chat('Hi'), n: 2, seed: 1 })]
  expect(messageOf(replies, chat('Hi'))).toContain('replies[1] nearly matched: ')
})

test('recordings of another endpoint are not near', () => {
  const replies = [recording({ model: 'm', input: 'a' }, { endpoint: 'embeddings' })]
  expect(messageOf(replies, chat('Hi'))).toContain('The scenario has no recording for this endpoint. Record')
  expect(messageOf(replies, { model: 'm', input: 'b' }, '/v1/embeddings')).toContain(
    "expected request.input 'a', got 'b'",
  )
})
