/**
 * The scale of the picture of a run: from times to pixels and back, the ticks of the axis, and which bars are drawn as one.
 * A window of 0 to 1000 ms on 1024 pixels has a time of 500 ms at pixel 512.
 */
import type { Bar, BarKind } from '../../core/report/run-picture.ts'

/** The part of the run that is shown, in milliseconds since the first call. */
export type TimeWindow = Readonly<Record<'fromMs' | 'toMs', number>>
/** A window of time, and the pixels for it. */
export type TimeScale = TimeWindow & { readonly width: number }

/** Room at both ends, for the signs of the first and the last call. */
const PADDING = 12
const MIN_WINDOW_MS = 1
/** Width in pixels of the shortest bar. */
const MIN_WIDTH = 3
/** Bars of one kind that are closer than this, in pixels, are drawn as one. */
const JOINED_GAP = 1.5

/** Pixels from the left of a time. */
export const placeOf = (ms: number, { fromMs, toMs, width }: TimeScale): number =>
  PADDING + ((ms - fromMs) / (toMs - fromMs)) * (width - 2 * PADDING)

/** The time at pixels from the left. */
export const timeAt = (x: number, { fromMs, toMs, width }: TimeScale): number =>
  fromMs + ((x - PADDING) / (width - 2 * PADDING)) * (toMs - fromMs)

/** The window of a length around a time, within the run. */
export function windowAround(centreMs: number, lengthMs: number, totalMs: number): TimeWindow {
  const length = Math.min(totalMs, Math.max(MIN_WINDOW_MS, lengthMs))
  const fromMs = Math.min(totalMs - length, Math.max(0, centreMs - length / 2))
  return { fromMs, toMs: fromMs + length }
}

/** Pixels between ticks, at least. */
const TICK_GAP = 80

/** The times of the ticks: multiples of 1, 2 or 5 times a power of 10. */
export function ticksOf({ fromMs, toMs, width }: TimeScale): number[] {
  const minStepMs = ((toMs - fromMs) * TICK_GAP) / Math.max(1, width)
  const power = 10 ** Math.floor(Math.log10(minStepMs))
  const step = power * ([1, 2, 5].find((times) => times * power >= minStepMs) ?? 10)
  const first = Math.ceil(fromMs / step)
  const count = Math.floor(toMs / step) - first + 1
  return Array.from({ length: Math.max(0, count) }, (_, index) => (first + index) * step)
}

/** The sizes of the rows of a lane, in pixels. */
export interface RowSize {
  readonly height: number
  /** Half of the height of a bar. */
  readonly halfBar: number
  /** True if a row has room for signs and texts. */
  readonly isRoomy: boolean
}

/** The sizes up to a number of rows: many rows are lower, so that a run with many calls at a time still fits. */
export const ROW_SIZES: readonly (RowSize & { readonly maxRows: number })[] = [
  { maxRows: 30, height: 20, halfBar: 7, isRoomy: true },
  { maxRows: 100, height: 13, halfBar: 5, isRoomy: true },
  { maxRows: 200, height: 7, halfBar: 3, isRoomy: false },
  { maxRows: Number.POSITIVE_INFINITY, height: 4, halfBar: 1.5, isRoomy: false },
]

/** A bar, or several of one kind that are too close to tell apart. */
export interface Segment {
  readonly kind: BarKind
  readonly row: number
  readonly x: number
  /** Grows with each bar that is added, as `bars` does. */
  width: number
  readonly bars: Bar[]
}

/** The bars within a window, as they are drawn. @param bars ordered by their begin. */
export function joinBars(bars: readonly Bar[], scale: TimeScale): Segment[] {
  const segments: Segment[] = []
  const lastOfRow = new Map<number, Segment>()
  for (const bar of bars) {
    if (bar.toMs < scale.fromMs || bar.fromMs > scale.toMs) continue
    const { kind, row } = bar
    // Bars that begin or end outside of the window leave it by a few pixels.
    const x = Math.max(0, placeOf(bar.fromMs, scale))
    const end = Math.max(x + MIN_WIDTH, Math.min(scale.width, placeOf(bar.toMs, scale)))
    const last = lastOfRow.get(row)
    if (last?.kind === kind && x - last.x - last.width < JOINED_GAP) {
      last.width = Math.max(last.width, end - last.x)
      last.bars.push(bar)
    } else {
      const segment = { kind, row, x, width: end - x, bars: [bar] }
      segments.push(segment)
      lastOfRow.set(row, segment)
    }
  }
  return segments
}
