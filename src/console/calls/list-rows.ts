/** Which rows of a long list are drawn, and how the list stays where it is when rows are added above. */
import { useLayoutEffect, useState } from 'preact/hooks'

export const ROW_HEIGHT = 33

/** Rows drawn above and below what is visible, so that fast scrolling shows no gaps. */
const EXTRA_ROWS = 6

/** The rows to draw: indexes from `first` to before `end`. */
export function visibleRows(scrollTop: number, height: number, count: number): { first: number; end: number } {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - EXTRA_ROWS)
  const end = Math.min(count, Math.ceil((scrollTop + height) / ROW_HEIGHT) + EXTRA_ROWS)
  return { first: Math.min(first, end), end }
}

/** The most rows that are drawn at once in a list of this height. */
export const maxRows = (height: number): number => Math.ceil(height / ROW_HEIGHT) + 1 + 2 * EXTRA_ROWS

/** The scroll position at which a row is fully visible; the present one if it is already. */
export function scrollToRow(index: number, scrollTop: number, height: number): number {
  const top = index * ROW_HEIGHT
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + ROW_HEIGHT - height)
}

export function useSize(element: { readonly current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const measured = element.current!
    const measure = () => setSize({ width: measured.clientWidth, height: measured.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  return size
}
