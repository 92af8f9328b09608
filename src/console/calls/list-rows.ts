/**
 * The rows of a long list: which of them are drawn, and the scroll position that keeps them in place when calls are added
 * above. All rows have one height: of 10,000 rows, a list that is 600 pixels high draws about 30.
 *
 * @tanstack/virtual-core, which measures rows, would add 9.8 kB gzipped to the 37 kB of the page.
 */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { calls } from '../app/page-state.ts'

export const ROW_HEIGHT = 33
/** Height of a row with a second line, which has the text of a column that has no room. */
export const TALL_ROW_HEIGHT = 52

/** Rows drawn above and below the visible ones, so that fast scrolling shows no gaps. */
const EXTRA_ROWS = 6

/**
 * The rows to draw: indexes from `first` to before `end`.
 * @example visibleRows(33_000, 600, 10_000) // { first: 994, end: 1025 }
 */
export function visibleRows(scrollTop: number, height: number, count: number, rowHeight = ROW_HEIGHT) {
  const first = Math.max(0, Math.floor(scrollTop / rowHeight) - EXTRA_ROWS)
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + EXTRA_ROWS)
  return { first: Math.min(first, end), end }
}

/** The most rows that are drawn at once in a list of this height. */
export const maxRows = (height: number, rowHeight = ROW_HEIGHT): number =>
  Math.ceil(height / rowHeight) + 1 + 2 * EXTRA_ROWS

/** The scroll position at which a row is fully visible; the present one if it is already. */
export function scrollToRow(index: number, scrollTop: number, height: number, rowHeight = ROW_HEIGHT): number {
  const top = index * rowHeight
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + rowHeight - height)
}

/**
 * Keeps the rows where they are while calls are added above them, if the user is reading: has scrolled, is at a call, or
 * points at the list. In the order of the slowest calls, new ones come anywhere: there it does nothing.
 * @param at the number of the call that the user is at, if there is one.
 * @returns the number of calls that were added above the visible ones.
 */
export function useStillRows(
  list: RefObject<HTMLElement | null>,
  at: number | undefined,
  scrollTop: number,
  rowHeight: number,
): number {
  const filter = calls.filter.value
  const isBySlowest = calls.isBySlowest.value
  const shown = calls.shown.value
  const newest = shown.at(-1)?.number ?? 0
  /** The number of the newest call, and the filter, when the effect last ran. */
  const lastRun = useRef({ newest: 0, filter })
  /** The number of the newest call that was visible. */
  const [seen, setSeen] = useState(0)
  const isAtTop = scrollTop < rowHeight
  const countNewerThan = (number: number): number => shown.filter((call) => call.number > number).length
  useLayoutEffect(() => {
    const element = list.current!
    const previous = lastRun.current
    lastRun.current = { newest, filter }
    const isOtherList = previous.newest === 0 || previous.filter !== filter || isBySlowest
    if (isOtherList) return setSeen(newest)
    const isReading = element.scrollTop > 0 || at !== undefined || element.matches(':hover')
    if (isReading) element.scrollTop += countNewerThan(previous.newest) * rowHeight
    if (element.scrollTop < rowHeight) setSeen(newest)
  }, [shown, isBySlowest, isAtTop])
  return isBySlowest ? 0 : countNewerThan(seen)
}
