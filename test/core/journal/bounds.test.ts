/** The bounds of the journal: so many calls, and so much room for what they and their answers say. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { detailsOf } from '../../../src/core/journal/call-details.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock, type JournalEntry } from '../../../src/index.ts'
import { ask, steppingMock } from '../../support/stepping.ts'

const numbers = (mock: ReturnType<typeof steppingMock>): number[] => mock.journal.map(({ number }) => number)

test('the journal keeps the configured number of calls and drops the oldest', async () => {
  const mock = steppingMock({}, { journal: { entries: 3 } })
  for (let call = 0; call < 8; call++) await ask(mock)
  expect(numbers(mock)).toEqual([6, 7, 8])
  mock.clearJournal()
  expect(numbers(mock)).toEqual([])
  for (let call = 0; call < 4; call++) await ask(mock)
  expect(numbers(mock)).toEqual([10, 11, 12])
})

test('a body that no endpoint reads is not kept, JSON or not', async () => {
  const mock = steppingMock()
  const { entry } = await ask(mock, { path: '/v1/nonsense', body: { any: 'thing' } })
  expect(entry.body).toBeUndefined()
  engineOf(mock).begin({
    method: 'POST',
    path: '/v1/nonsense',
    headers: { authorization: 'Bearer sk-test' },
    body: 'no JSON at all',
    bodyLimit: 1000,
    transport: 'http',
    now: 0,
  })
  expect(mock.journal.map(({ status, body }) => [status, body])).toEqual([
    [404, undefined],
    [404, undefined],
  ])
})

test('when the room for texts is full, the oldest calls lose their texts but stay', async () => {
  const mock = steppingMock({}, { journal: { bytes: 64_000 } })
  for (let call = 0; call < 100; call++) await ask(mock, { user: `${call} ${'x'.repeat(400)}` })
  const entries = mock.journal
  expect(entries).toHaveLength(100)
  expect(entries[0]).toMatchObject({ number: 1, status: 200, bytes: expect.any(Number), request: expect.any(String) })
  expect(entries[0]).not.toHaveProperty('body')
  expect(entries[0]).not.toHaveProperty('timeline')
  expect(entries[0]!.bytes).toBeGreaterThan(400)
  expect(entries.at(-1)).toHaveProperty('body')
  expect(entries.at(-1)).toHaveProperty('timeline')
  expect(new Set(entries.map(({ request }) => request)).size).toBe(100)
})

test.each([
  ['chat', '/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
  ['responses', '/v1/responses', { input: 'Hi' }],
])('a stream of 4,000 tokens is kept whole, and the page gets all of it (%s)', async (_, path, asked) => {
  const say = 'weather '.repeat(4000)
  const mock = steppingMock({ replies: [{ say }], pace: { perToken: '1ms' } })
  const { plan, entry } = await ask(mock, { path, body: { model: 'echo-1', stream: true, ...asked } })
  const sent = [...plan.events].map((event) => (event.type === 'send' ? event.data : '')).join('')
  expect(sent.length).toBeGreaterThan(600_000)
  const { timeline = [], isWhole, bytes } = detailsOf(entry.toJSON(), 1)
  expect(timeline.map((step) => ('data' in step ? step.data : '')).join('')).toBe(sent)
  expect([isWhole, bytes, timeline.length]).toEqual([true, sent.length, plan.events.length])
  expect(entry.toSummary()).not.toHaveProperty('timeline')
})

test('a whole answer of 300,000 characters is kept whole', async () => {
  const mock = steppingMock({ replies: [{ say: 'x'.repeat(300_000) }] })
  const { entry } = await ask(mock)
  expect(detailsOf(entry.toJSON(), 1)).toMatchObject({ isWhole: true, bytes: expect.any(Number) })
  const { timeline = [], isWhole } = detailsOf(entry.toJSON(), 1, 1000)
  expect([isWhole, timeline[1]]).toEqual([false, { ...entry.timeline![1], data: expect.stringMatching(/^.{1000}$/s) }])
})

test('an answer that is too large for the journal says so', async () => {
  const mock = steppingMock({ replies: [{ say: 'x'.repeat(1_000_000) }] }, { journal: { bytes: 3_000_000 } })
  const { entry } = await ask(mock)
  expect(entry.timeline).toBeUndefined()
  expect(entry.bytes).toBeGreaterThan(1_000_000)
  expect(entry.notes).toEqual([
    'the answer is too large for the journal, which keeps up to 750,000 bytes of one (--journal-bytes)',
  ])
})

test('of many large answers, the newest share a quarter of the room', async () => {
  const mock = steppingMock({ replies: [{ say: 'x'.repeat(400_000) }] }, { journal: { bytes: 4_000_000, entries: 4 } })
  const kept = () => mock.journal.filter(({ timeline }) => timeline !== undefined).map(({ number }) => number)
  for (let call = 0; call < 5; call++) await ask(mock)
  expect(kept()).toEqual([4, 5])
  expect(mock.journal.every(({ notes }) => notes.length === 0)).toBe(true)
  for (let call = 0; call < 3; call++) await ask(mock, { path: '/v1/nonsense' })
  expect(kept()).toEqual([5, 6, 7, 8])
  mock.clearJournal()
  expect(kept()).toEqual([])
})

test('a thousand answers of a megabyte are not kept', async () => {
  const say = 'x'.repeat(1_000_000)
  const mock = steppingMock({ replies: [{ say }] }, { journal: { bytes: 4_000_000 } })
  for (let call = 0; call < 20; call++) await ask(mock)
  const entries = mock.journal
  expect(entries).toHaveLength(20)
  expect(entries.filter(({ timeline }) => timeline !== undefined)).toEqual([])
  expect(entries.every(({ body }) => body !== undefined)).toBe(true)
  expect(entries[0]!.bytes).toBeGreaterThan(1_000_000)
})

test('for calls of any size, the kept texts fit the room, and the newest that fit are kept', async () => {
  const bytes = 40_000
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 60 }), async (sizes) => {
      const mock = steppingMock({}, { journal: { entries: 50, bytes } })
      for (const size of sizes) await ask(mock, { user: 'x'.repeat(size) })
      const entries = mock.journal
      const kept = entries.map(({ body, timeline }) => JSON.stringify([body, timeline]).length)
      const isWhole = entries.map(({ body, timeline }) => body !== undefined || timeline !== undefined)
      const room = kept.filter((_, index) => isWhole[index]).reduce((sum, length) => sum + length, 0)
      // Times and sizes of the steps come on top of the texts.
      expect(room).toBeLessThan(bytes + entries.length * 200)
      const large = (index: number): boolean => sizes[sizes.length - entries.length + index]! > bytes / 32 - 200
      expect(isWhole.every((whole, index) => whole || large(index) || !isWhole.slice(0, index).includes(true))).toBe(
        true,
      )
    }),
    { numRuns: 60 },
  )
})

test.each([
  [{ entries: 0 }, 'journal: expected entries to be a whole number from 1, got 0.'],
  [{ bytes: 1.5 }, 'journal: expected bytes to be a whole number from 1, got 1.5.'],
])('an invalid bound is refused: %j', (journal, message) => {
  expect(() => createMock('default', { journal })).toThrow(message)
})

const KEY = 'sk-proj-abcdefghijklmnopqrstuvwxyz'

test('a key in the text of a call is masked, and its answer is recorded by size only', async () => {
  const mock = steppingMock({ replies: [{ when: { user: 'never' }, say: 'x' }] })
  await ask(mock, { key: KEY, user: `My key is ${KEY}.` })
  await ask(mock, { user: `Somebody else has ${KEY}.` })
  const text = JSON.stringify(mock.journal)
  expect(text).not.toContain(KEY)
  expect(text).toContain('My key is sk-proj-****wxyz.')
  for (const { timeline = [] } of mock.journal) {
    expect(timeline[1]).toMatchObject({ type: 'send', bytes: expect.any(Number) })
    expect(timeline[1]).not.toHaveProperty('data')
  }
})

test('a text with escapes but no key is kept unchanged, with its answer', async () => {
  const mock = steppingMock()
  await ask(mock, { user: 'Two\nlines and a "task-force".' })
  const [entry] = mock.journal
  expect(entry).toMatchObject({ body: { messages: [{ content: 'Two\nlines and a "task-force".' }] } })
  expect(entry!.timeline![1]).toHaveProperty('data')
})

test('a listener is told the whole entry of a call that left the journal before its answer ended', async () => {
  const mock = steppingMock({ replies: [{ say: 'a long answer' }] }, { journal: { entries: 2 } })
  const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Take your time.' }] })
  const headers = { authorization: 'Bearer sk-test' }
  const path = '/v1/chat/completions'
  const open = engineOf(mock).begin({
    method: 'POST',
    path,
    headers,
    body,
    bodyLimit: 1000,
    transport: 'http',
    now: 0,
  })
  for (let call = 0; call < 3; call++) await ask(mock)
  const told: JournalEntry[] = []
  mock.onExchange((entry) => told.push(entry))
  open.end('complete')
  expect(told).toHaveLength(1)
  expect(told[0]).toMatchObject({ number: 1, status: 200, outcome: 'complete', body: JSON.parse(body) })
  expect(told[0]!.timeline).toHaveLength(3)
  expect(told[0]!.bytes).toBeGreaterThan('a long answer'.length)
})
