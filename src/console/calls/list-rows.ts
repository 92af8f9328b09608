/**
 * The rows of a long list that are drawn, and the scroll position when rows are added above. The rows have one height:
 * @tanstack/virtual-core, which measures them, would add 9.8 kB gzipped to the 37 kB of the page.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { calls } from '../app/page-state.ts'

export const ROW_HEIGHT = 33
/** Height of a row with a second line, which shows what has no column. */
export const TALL_ROW_HEIGHT = 52

/** Rows drawn above and below the visible ones, so that fast scrolling shows no gaps. */
const EXTRA_ROWS = 6

/** The rows to draw: indexes from `first` to before `end`. */
export function visibleRows(
  scrollTop: number,
  height: number,
  count: number,
  rowHeight = ROW_HEIGHT,
): { first: number; end: number } {
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

type Scroller = { readonly current: HTMLElement | null }

/**
 * Keeps the rows where they are while calls are added above them, if the user is reading: has scrolled, is at a row, or
 * points at the list. Returns the number of calls that have been added above the visible ones.
 */
export function useStillRows(scroller: Scroller, at: number | undefined, scrollTop: number, rowHeight: number): number {
  const isAtTop = scrollTop < rowHeight
  const filter = calls.filter.value
  const isBySlowest = calls.isBySlowest.value
  const before = useRef({ newest: 0, filter })
  /** The newest call that was visible. */
  const [seen, setSeen] = useState(0)
  const shown = calls.shown.value
  const newest = shown.at(-1)?.number ?? 0
  const countNewer = (than: number): number => shown.filter(({ number }) => number > than).length
  useLayoutEffect(() => {
    const list = scroller.current!
    const last = before.current
    before.current = { newest, filter }
    if (last.newest === 0 || filter !== last.filter || isBySlowest) return setSeen(newest)
    const isReading = list.scrollTop > 0 || at !== undefined || list.matches(':hover')
    if (isReading) list.scrollTop += countNewer(last.newest) * rowHeight
    if (list.scrollTop < rowHeight) setSeen(newest)
  }, [shown, isBySlowest])
  useLayoutEffect(() => {
    if (isAtTop) setSeen(newest)
  }, [isAtTop])
  return isBySlowest ? 0 : countNewer(seen)
}
