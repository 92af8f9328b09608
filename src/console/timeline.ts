/** The timeline of an answer, laid out: when each step is due, and where it stands between begin and end. */
import type { Step } from '../shell/call-details.ts'

export interface Moment {
  readonly step: Step
  /** Since the call was decided, in milliseconds of the mock's clock. */
  readonly atMs: number
  /** The same as a part of the whole, from 0 to 1. */
  readonly share: number
}

export interface Timeline {
  readonly moments: readonly Moment[]
  readonly totalMs: number
}

export function layOut(steps: readonly Step[]): Timeline {
  const totalMs = steps.reduce((sum, step) => sum + (step.type === 'wait' ? step.ms : 0), 0)
  let atMs = 0
  const moments = steps.map((step): Moment => {
    const moment = { step, atMs, share: totalMs === 0 ? 0 : atMs / totalMs }
    if (step.type === 'wait') atMs += step.ms
    return moment
  })
  return { moments, totalMs }
}

/** `1.25 s`, `300 ms`, `0.8 ms`. */
export function shownMs(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(2))} s`
  return `${ms >= 10 ? Math.round(ms) : Number(ms.toFixed(1))} ms`
}
