/** The timeline of an answer, laid out: when each step is due, and where it stands between begin and end. */
import type { Step } from '../../core/journal/entry.ts'

export interface Moment {
  readonly step: Step
  /** Since the call came, in milliseconds of the mock's clock: as measured, or as planned where nothing was. */
  readonly atMs: number
  /** The same as a part of the whole, from 0 to 1. */
  readonly share: number
  /** False for a step that never came to pass. */
  readonly isTaken: boolean
}

export interface Timeline {
  readonly moments: readonly Moment[]
  readonly totalMs: number
}

export function layOut(steps: readonly Step[]): Timeline {
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
    return { step, atMs, share, isTaken: !isMeasured || step.atMs !== undefined }
  })
  return { moments, totalMs }
}

/** `1.25 s`, `300 ms`, `0.8 ms`. */
export function shownMs(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(2))} s`
  return `${ms >= 10 ? Math.round(ms) : Number(ms.toFixed(1))} ms`
}
