/** The phases of an answer on the page: planned and actual. */
import { expect, test } from 'vitest'
import { joinSteps, layOutPhases, plannedTimes, ratePerSecond } from '../../src/console/call/timeline-phases.ts'
import { formatCount, formatMs } from '../../src/console/parts/format.ts'
import type { Step } from '../../src/core/journal/entry.ts'

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** A stream of three words, 300 ms and then 20 ms apart, each step `lateMs` late. */
function stream(lateMs: number, sentSteps = Number.POSITIVE_INFINITY): Step[] {
  const steps: Step[] = [
    { type: 'wait', ms: 300 },
    { type: 'head', status: 200 },
    { type: 'send', bytes: 1, data: chunk({ role: 'assistant', content: '' }) },
    { type: 'send', bytes: 1, data: chunk({ content: 'one' }) },
    { type: 'wait', ms: 20 },
    { type: 'send', bytes: 1, data: chunk({ content: ' two' }) },
    { type: 'wait', ms: 20 },
    { type: 'send', bytes: 1, data: chunk({ content: ' three' }) },
    { type: 'wait', ms: 5 },
    { type: 'send', bytes: 1, data: chunk({}, 'stop') },
    { type: 'send', bytes: 1, data: 'data: [DONE]\n\n' },
    { type: 'end' },
  ]
  const planned = plannedTimes(steps)
  return steps.map((step, index) => (index < sentSteps ? { ...step, atMs: planned[index]! + lateMs } : step))
}

const summary = (steps: readonly Step[]) =>
  layOutPhases(steps).map(({ name, planned, actual }) => [
    name,
    `${planned.fromMs}-${planned.toMs}`,
    actual === undefined ? 'never' : `${actual.fromMs}-${actual.toMs}`,
  ])

test('the times of a plan are the sums of its waits', () => {
  expect(plannedTimes(stream(0))).toEqual([0, 300, 300, 300, 300, 320, 320, 340, 340, 345, 345, 345])
})

test('a stream has a wait, tokens and an end, each planned and actual', () => {
  expect(summary(stream(7))).toEqual([
    ['Wait', '0-300', '0-307'],
    ['Tokens', '300-340', '307-347'],
    ['End', '340-345', '347-352'],
  ])
})

test('a first token that comes after the head has a phase', () => {
  const [wait, head, role, one, ...rest] = stream(0)
  const late = [head!, role!, wait!, one!, ...rest].map(({ atMs: _, ...step }) => step as Step)
  expect(summary(late).map(([name, planned]) => [name, planned])).toEqual([
    ['Wait', '0-0'],
    ['First token', '0-300'],
    ['Tokens', '300-340'],
    ['End', '340-345'],
  ])
})

test('phases after the client left did not happen', () => {
  expect(summary(stream(0, 5)).map(([name, , actual]) => [name, actual])).toEqual([
    ['Wait', '0-300'],
    ['Tokens', 'never'],
    ['End', 'never'],
  ])
})

test('an answer that is no stream has a wait and an answer', () => {
  const steps: Step[] = [
    { type: 'wait', ms: 100, atMs: 1 },
    { type: 'head', status: 200, atMs: 101 },
    { type: 'send', bytes: 9, data: '{"id":"1"}', atMs: 101 },
    { type: 'end', atMs: 103 },
  ]
  expect(summary(steps)).toEqual([
    ['Wait', '0-100', '0-101'],
    ['Answer', '100-100', '101-103'],
  ])
  expect(layOutPhases([])).toEqual([])
})

test('the rate of tokens is counted between the first and the last', () => {
  const tokens = layOutPhases(stream(0)).find(({ name }) => name === 'Tokens')!
  expect(tokens.ticksMs).toEqual([300, 320, 340])
  expect(ratePerSecond(tokens)).toBe(50)
  expect(ratePerSecond({ ...tokens, ticksMs: [300] })).toBeUndefined()
})

test('durations and counts are written for people', () => {
  expect([0.84, 12.3, 300, 1250, 61_000].map(formatMs)).toEqual(['0.8 ms', '12 ms', '300 ms', '1.25 s', '61 s'])
  expect([formatCount(1, 'call'), formatCount(1200, 'call')]).toEqual(['1 call', '1,200 calls'])
})

test('equal steps that follow each other are one line', () => {
  const comment = { type: 'send', bytes: 3, data: ':\n\n' } as const
  const steps: Step[] = [
    { ...comment, atMs: 1 },
    { type: 'wait', ms: 5 },
    { ...comment, atMs: 6 },
    { type: 'send', bytes: 1, data: 'a', atMs: 6 },
    { ...comment, atMs: 6 },
    comment,
  ]
  expect(joinSteps(steps).map(({ plannedMs, count }) => [plannedMs, count])).toEqual([
    [0, 2],
    [5, 1],
    [5, 1],
    [5, 1],
  ])
})
