/** A full journal replaces its oldest entries: calls that are still open, or entries that somebody holds, notice nothing. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Exchange } from '../../../src/engine/exchange.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock, type JournalEntry } from '../../../src/index.ts'
import { type CallOverrides, call, HELLO } from '../../support/call.ts'

const ENTRIES = 3
const SCENARIO = { keys: { 'sk-*': {} }, replies: [{ when: { user: 'rain' }, say: 'Naïve 🦜' }] }

const said = (content: string): CallOverrides => ({ body: { ...HELLO, messages: [{ role: 'user', content }] } })
const CALLS: readonly CallOverrides[] = [
  {},
  said('rain'),
  said('half a pair: \ud83d'),
  { body: { ...HELLO, stream: true } },
  { body: { ...HELLO, user: 'sk-another' }, key: 'sk-another' },
  { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hello', dimensions: 8 } },
  { headers: { 'x-mock-fault': 'cut; after=1' } },
  { key: '' },
  { body: '{' },
  { method: 'GET', path: '/v1/models', body: '' },
]
const OUTCOMES = ['complete', 'cut', 'client-left'] as const

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ begin: fc.nat(CALLS.length - 1) }) },
  { weight: 4, arbitrary: fc.record({ end: fc.nat(), outcome: fc.constantFrom(...OUTCOMES) }) },
  { weight: 2, arbitrary: fc.record({ sent: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ read: fc.boolean() }) },
)

/** The entry without how long its steps took. */
const timeless = (entry: JournalEntry) => ({
  ...entry,
  durationMs: 0,
  timeline: entry.timeline?.map(({ atMs, ...step }) => ({ ...step, hasHappened: atMs !== undefined })),
})

test('a small journal has the last entries of a large one, whatever was open, read or dropped meanwhile', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const [small, large] = [ENTRIES, 1000].map((entries) => createMock(SCENARIO, { journal: { entries } }))
      const open: (readonly Exchange[])[] = []
      for (const step of steps) {
        if ('begin' in step) open.push([small!, large!].map((mock) => engineOf(mock).begin(call(CALLS[step.begin]))))
        else if ('end' in step) {
          const [ended = []] = open.splice(step.end % Math.max(1, open.length), 1)
          for (const exchange of ended) exchange.end(step.outcome)
        } else if ('sent' in step) {
          for (const exchange of open[step.sent % Math.max(1, open.length)] ?? []) exchange.sent(1)
        } else if (step.read) expect(small!.journal).toHaveLength(Math.min(ENTRIES, large!.journal.length))
        else small!.calls({ model: 'echo-1' })
      }
      expect(small!.journal.map(timeless)).toEqual(large!.journal.slice(-ENTRIES).map(timeless))
    }),
  )
})

test('an entry that a listener keeps stays the same while later calls fill the journal', () => {
  const mock = createMock(SCENARIO, { journal: { entries: 1 } })
  const kept: JournalEntry[] = []
  mock.onExchange((entry) => kept.push(entry))
  for (const [index] of CALLS.entries()) engineOf(mock).begin(call(CALLS[index])).end('complete')
  expect(kept.map(({ number }) => number)).toEqual(CALLS.map((_, index) => index + 1))
  expect(kept.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 401, 400, 200])
  expect(kept.every(({ headers, bytes }) => headers['x-request-id'] !== undefined && bytes > 0)).toBe(true)
})

test('a call that lasts longer than its entry is kept changes no other entry', () => {
  const mock = createMock(SCENARIO, { journal: { entries: 1 } })
  const slow = engineOf(mock).begin(call(said('slow')))
  engineOf(mock)
    .begin(call(said('rain')))
    .end('complete')
  const before = mock.journal
  slow.sent(1)
  slow.end('client-left', 'It left.')
  expect(mock.journal).toEqual(before)
})

test('what is reported of a call after its end is recorded for no call', () => {
  const mock = createMock(SCENARIO, { journal: { entries: 1 } })
  const first = engineOf(mock).begin(call(said('first')))
  first.end('complete')
  engineOf(mock).begin(call(said('rain')))
  first.sent(2)
  first.end('cut', 'Too late.')
  expect(mock.journal).toMatchObject([{ number: 2, outcome: 'open', notes: [] }])
  expect(mock.journal[0]!.timeline!.every(({ atMs }) => atMs === undefined)).toBe(true)
})

test('the kept calls are counted without going through them', () => {
  const mock = createMock({ keys: { 'sk-a': { session: 'a' }, 'sk-b': { session: 'b' } } }, { journal: { entries: 4 } })
  const { journal } = engineOf(mock)
  const begin = (...keys: string[]): void => {
    for (const key of keys) engineOf(mock).begin(call({ key })).end('complete')
  }
  begin('sk-a', 'sk-b', 'sk-a', 'sk-a', 'sk-b')
  expect(journal.counts).toEqual({ kept: 4, total: 5 })
  mock.reset({ session: 'a' })
  expect([journal.counts, [...journal].length]).toEqual([{ kept: 2, total: 5 }, 2])
  begin('sk-a', 'sk-a')
  expect([journal.counts, [...journal].length]).toEqual([{ kept: 3, total: 7 }, 3])
  const read = vi.spyOn(journal, Symbol.iterator)
  expect(journal.counts.kept).toBe(3)
  expect(read).not.toHaveBeenCalled()
  mock.reset()
  expect(journal.counts).toEqual({ kept: 0, total: 0 })
})
