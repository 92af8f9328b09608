/** A plan laid out in time. */
import { expect, test } from 'vitest'
import { layOutTimeline } from '../../src/console/call/timeline.ts'
import { formatMs } from '../../src/console/parts/format.ts'
import { asking, openedCall } from '../support/console.ts'

test('each step has its time, and its place between begin and end', () => {
  const { moments, totalMs } = layOutTimeline([
    { type: 'wait', ms: 300 },
    { type: 'head', status: 200 },
    { type: 'send', bytes: 2, data: 'ab' },
    { type: 'wait', ms: 100 },
    { type: 'end' },
  ])
  expect(totalMs).toBe(400)
  expect(moments.map(({ step, atMs, share }) => [step.type, atMs, share])).toEqual([
    ['wait', 0, 0],
    ['head', 300, 0.75],
    ['send', 300, 0.75],
    ['wait', 300, 0.75],
    ['end', 400, 1],
  ])
})

test('the steps of a stream begin when the pace says, and end with the plan', () => {
  const call = openedCall({ pace: { firstToken: '200ms' } }, asking('one two three', { stream: true }))
  const { totalMs, moments } = layOutTimeline(call.timeline!)
  expect(totalMs).toBe(200)
  expect(moments.at(-1)).toMatchObject({ atMs: 200, share: 1, step: { type: 'end' } })
})

test('measured times are shown, and steps that never happened are shown at their planned times', () => {
  const { moments, totalMs } = layOutTimeline([
    { type: 'head', status: 200, atMs: 3 },
    { type: 'send', bytes: 2, data: 'ab', atMs: 3 },
    { type: 'wait', ms: 100, atMs: 4 },
    { type: 'send', bytes: 2, data: 'cd' },
    { type: 'end' },
  ])
  expect(totalMs).toBe(104)
  expect(moments.map(({ atMs, isDone }) => [atMs, isDone])).toEqual([
    [3, true],
    [3, true],
    [4, true],
    [104, false],
    [104, false],
  ])
})

test('an answer without waits has no length', () => {
  expect(layOutTimeline([{ type: 'head', status: 200 }, { type: 'end' }])).toMatchObject({
    totalMs: 0,
    moments: [{ share: 0 }, { share: 0 }],
  })
})

test.each([
  [0, '0 ms'],
  [0.812, '0.8 ms'],
  [12.6, '13 ms'],
  [999, '999 ms'],
  [1250, '1.25 s'],
  [60_000, '60 s'],
])('%d ms are shown as %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text)
})
