/** Stored chats: what is kept, listed and dropped. */
import { expect, test } from 'vitest'
import { decide } from '../../../../src/core/decide/pipeline/decide.ts'
import { AnswerStore, MAX_STORED_LENGTH } from '../../../../src/core/decide/state/answer-store.ts'
import { sessionIdOf } from '../../../../src/core/decide/state/session-id.ts'
import { mockWith } from '../../../support/core.ts'

const sessionId = sessionIdOf('sk-test', '')
const ask = (content: string, headers: Record<string, string> = {}) => ({
  body: { model: 'echo-1', messages: [{ role: 'user', content }], store: true },
  headers,
})
const stored = (id: string, answer = '{}') => ({
  type: 'completion' as const,
  sessionId,
  id,
  model: 'echo-1',
  answer,
  metadata: {},
  request: '{}',
})

test('the oldest of 10,000 completions goes when another comes', () => {
  const store = new AnswerStore()
  for (let number = 0; number <= 10_000; number++) store.put(stored(String(number)))
  expect(store.completionsOf(sessionId)).toHaveLength(10_000)
  expect(store.completion(sessionId, '0')).toBeUndefined()
  expect(store.completion(sessionId, '1')).toBeDefined()
})

test('all completions together have at most 32 million characters', () => {
  const store = new AnswerStore()
  const million = ' '.repeat(999_998)
  for (let number = 0; number < 33; number++) store.put(stored(String(number), million))
  expect(store.completionsOf(sessionId).map(({ id }) => id)).toEqual(
    Array.from({ length: 32 }, (_, index) => String(index + 1)),
  )
  store.delete(sessionId, '5')
  store.put(stored('33', million))
  expect(store.completionsOf(sessionId)).toHaveLength(32)
})

test('no id finds the completion of another session', () => {
  const store = new AnswerStore()
  const other = sessionIdOf('team1', '')
  store.put({ ...stored('x'), sessionId: sessionIdOf('sk-test', 'team1') })
  for (const id of ['x', 'x\nsk-test', 'x\nsk-test\nteam1', 'sk-test'])
    expect(store.completion(other, id)).toBeUndefined()
})

test('a completion that is replaced keeps its place', () => {
  const store = new AnswerStore()
  for (const id of ['a', 'b']) store.put(stored(id))
  store.put(stored('a', '{"x":1}'))
  expect(store.completionsOf(sessionId).map(({ id, answer }) => [id, answer])).toEqual([
    ['a', '{"x":1}'],
    ['b', '{}'],
  ])
})

test('a chat is stored exactly if it has store: true, also a long one', () => {
  // The last one is sent in parts.
  for (const content of ['one', 'word '.repeat(4000), 'word '.repeat(20_000)]) {
    const mock = mockWith()
    const { body } = ask(content)
    for (const store of [false, null, undefined]) mock.answer({ body: { ...body, store } })
    expect(mock.state.answers.completionsOf(sessionId)).toEqual([])
    for (const stream of [false, true]) mock.answer({ body: { ...body, stream } })
    const answers = mock.state.answers.completionsOf(sessionId).map(({ answer }) => JSON.parse(answer))
    expect(answers).toHaveLength(2)
    for (const { object, choices } of answers) {
      expect(object).toBe('chat.completion')
      expect(choices[0].message.content).toBe(content)
    }
  }
})

test('an answer that is too large to store is sent, with a note', () => {
  const mock = mockWith()
  const plan = mock.plan(ask('word '.repeat(MAX_STORED_LENGTH.completion / 5)))
  expect(plan.notes.join()).toMatch(/^the completion was not stored: with its request it has \d+ bytes/)
  expect(mock.state.answers.completionsOf(sessionId)).toEqual([])
})

test('an answer that a fault replaces is not stored; one that breaks on its way is', () => {
  const mock = mockWith()
  mock.answer(ask('one', { 'x-mock-fault': 'server-error' }))
  expect(mock.state.answers.completionsOf(sessionId)).toEqual([])
  mock.answer(ask('one', { 'x-mock-fault': 'cut' }))
  expect(mock.state.answers.completionsOf(sessionId)).toHaveLength(1)
})

test('deciding a call stores nothing before its effects are applied', () => {
  const mock = mockWith()
  const { effects } = decide(mock.context(ask('one')))
  expect(mock.state.answers.completionsOf(sessionId)).toEqual([])
  mock.apply(...effects)
  expect(mock.state.answers.completionsOf(sessionId)).toHaveLength(1)
})
