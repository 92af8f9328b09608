/** Lays out the timeline of an answer: the time of each step and its position between start and end. */
import type { Step } from '../../core/journal/entry.ts'

export interface Moment {
  readonly step: Step
  /** Milliseconds of the mock's clock since the call arrived: measured, or planned if nothing was measured. */
  readonly atMs: number
  /** The same as a share of the total, from 0 to 1. */
  readonly share: number
  /** False for a step that did not happen. */
  readonly isDone: boolean
}

export interface Timeline {
  readonly moments: readonly Moment[]
  readonly totalMs: number
}

export function layOutTimeline(steps: readonly Step[]): Timeline {
  const isMeasured = steps.some(({ atMs }) => atMs !== undefined)
  let plannedMs = 0
  const times = steps.map((step) => {
    const atMs = step.atMs ?? plannedMs
    plannedMs = step.type === 'wait' ? atMs + step.ms : atMs
    return atMs
  })
  const totalMs = Math.max(0, ...times)
  const moments = steps.map((step, place): Moment => {
    const atMs = times[place]!
    const share = totalMs === 0 ? 0 : atMs / totalMs
    return { step, atMs, share, isDone: !isMeasured || step.atMs !== undefined }
  })
  return { moments, totalMs }
}
