/** The list of calls: its columns, its rows, and the calls that it holds. */
import { expect, test, vi } from 'vitest'
import { CallStore, MAX_CALLS } from '../../src/console/calls/call-store.ts'
import { chooseColumns, gridTemplate } from '../../src/console/calls/columns.ts'
import { NO_FILTER } from '../../src/console/calls/list-filter.ts'
import { maxRows, ROW_HEIGHT, scrollToRow, TALL_ROW_HEIGHT, visibleRows } from '../../src/console/calls/list-rows.ts'
import type { CallSummary } from '../../src/core/journal/call-details.ts'
import { openedCall } from '../support/console.ts'

const { body: _, timeline: __, headers: ___, ...summary } = openedCall({})
const numbered = (number: number, more: Partial<CallSummary> = {}): CallSummary => ({ ...summary, number, ...more })
const numbersIn = (calls: readonly CallSummary[]): number[] => calls.map(({ number }) => number)

test('columns hide by width, the least important first', () => {
  const names = (width: number): string =>
    chooseColumns(width)
      .map(({ name }) => name)
      .join(' ')
  expect(names(320)).toBe('status prompt')
  expect(names(390)).toBe('status prompt duration')
  expect(names(660)).toBe('number status prompt matched duration')
  expect(names(2000)).toBe('number time status prompt model matched tokens duration key endpoint')
  for (let width = 320; width < 2000; width += 10) {
    const needed = chooseColumns(width).reduce((sum, column) => sum + column.width, 0)
    if (width > 400) expect(needed).toBeLessThanOrEqual(width)
  }
  expect(gridTemplate(chooseColumns(320))).toBe('102px minmax(170px, 3fr)')
  expect(gridTemplate(chooseColumns(660))).toBe('58px 102px minmax(170px, 3fr) minmax(190px, 2fr) 78px')
})

test('only the visible rows and a few more are drawn', () => {
  const { first, end } = visibleRows(5000 * ROW_HEIGHT, 600, 10_000)
  expect([first <= 5000, end >= 5018, end - first < 60]).toEqual([true, true, true])
  for (let top = 0; top < 3000; top += 7) {
    const { first, end } = visibleRows(top, 611, 10_000)
    // The elements of the rows are numbered modulo this, so it must never be less.
    expect(end - first).toBeLessThanOrEqual(maxRows(611))
  }
  expect(visibleRows(500 * TALL_ROW_HEIGHT, 520, 1000, TALL_ROW_HEIGHT)).toEqual({ first: 494, end: 516 })
  expect(visibleRows(0, 600, 3)).toEqual({ first: 0, end: 3 })
  expect(visibleRows(99_999, 600, 3)).toEqual({ first: 3, end: 3 })
})

test('a row is scrolled to only if it is not visible', () => {
  expect(scrollToRow(5, 0, 600)).toBe(0)
  expect(scrollToRow(100, 0, 600)).toBe(101 * ROW_HEIGHT - 600)
  expect(scrollToRow(2, 500, 600)).toBe(2 * ROW_HEIGHT)
})

test('calls are kept by number, and an update replaces a call', () => {
  const store = new CallStore()
  store.add([numbered(5), numbered(7)])
  store.add([numbered(6), numbered(5, { status: 429 }), numbered(3)])
  expect(numbersIn(store.all.value)).toEqual([3, 5, 6, 7])
  expect([store.find(5)?.status, store.find(4)]).toEqual([429, undefined])
})

test('the oldest calls go when there are too many', () => {
  const store = new CallStore()
  store.add(Array.from({ length: MAX_CALLS + 10 }, (_, index) => numbered(index + 1)))
  expect(store.all.value.length).toBe(MAX_CALLS)
  expect(store.all.value[0]!.number).toBe(11)
})

test('calls are listed by number or by duration, and found in either list', () => {
  const store = new CallStore()
  store.add([5, 900, 40].map((durationMs, index) => numbered(index + 1, { durationMs, outcome: 'complete' })))
  expect([numbersIn(store.listed.value), store.rowOf(3)]).toEqual([[3, 2, 1], 0])
  store.isBySlowest.value = true
  expect([numbersIn(store.listed.value), store.rowOf(3)]).toEqual([[2, 3, 1], 1])
  store.filter.value = { ...NO_FILTER, text: '>20ms' }
  expect([numbersIn(store.listed.value), store.rowOf(1)]).toEqual([[2, 3], -1])
})

test('the filter selects calls, and its lists have the values that occur', () => {
  const store = new CallStore()
  store.add([numbered(1), numbered(2, { status: 429, key: 'sk-b' }), numbered(3, { key: 'sk-a' })])
  expect(store.choices.value.status).toEqual(['200', '2xx', '429', '4xx', 'open'])
  store.filter.value = { ...NO_FILTER, status: '4xx' }
  expect(numbersIn(store.shown.value)).toEqual([2])
  store.clear()
  expect([store.shown.value, store.choices.value.key]).toEqual([[], []])
})

test('calls that wait for the next frame are added together, and clearing the list forgets them', () => {
  const store = new CallStore()
  const frames: (() => void)[] = []
  vi.stubGlobal('document', { hidden: false })
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
  const drawAll = (): void => {
    for (const draw of frames.splice(0)) draw()
  }
  store.addWithNextFrame(numbered(1))
  store.addWithNextFrame(numbered(2))
  expect([numbersIn(store.all.value), frames.length]).toEqual([[], 1])
  drawAll()
  expect(numbersIn(store.all.value)).toEqual([1, 2])
  store.addWithNextFrame(numbered(3))
  store.clear()
  store.addWithNextFrame(numbered(1))
  drawAll()
  expect(numbersIn(store.all.value)).toEqual([1])
  vi.unstubAllGlobals()
})

test('a page that is hidden after it asked for a frame keeps no more calls than the list holds', () => {
  vi.useFakeTimers()
  const store = new CallStore()
  const page = { hidden: false }
  vi.stubGlobal('document', page)
  vi.stubGlobal('requestAnimationFrame', () => {})
  store.addWithNextFrame(numbered(1))
  page.hidden = true
  for (let number = 2; number <= MAX_CALLS; number++) store.addWithNextFrame(numbered(number))
  expect(store.all.value).toEqual([])
  vi.runAllTimers()
  expect(store.all.value).toHaveLength(MAX_CALLS)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
