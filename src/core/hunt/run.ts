/** What an app did in one run. */
import { type FaultSet, faultFor } from './fault-set.ts'

/** A call that the app made. */
export interface SeenCall {
  /** A name that is the same in each run: that of the request, or of its place in the run. */
  readonly id: string
  /** How often the app has made this call, this time included. */
  readonly attempt: number
  /** The planned fault that was applied to it. */
  readonly fault?: string
  /** The planned fault that could not apply to it. */
  readonly refused?: string
}

export interface Run {
  readonly isPassed: boolean
  /** In the order in which they arrived. */
  readonly calls: readonly SeenCall[]
}

/** Whether a run with these faults would be this run again: each call has the fault that it would get. */
export const repeats = ({ calls }: Run, faults: FaultSet): boolean =>
  calls.every(({ id, attempt, fault }) => faultFor(faults, id, attempt) === fault)

/** Whether the calls without a fault are those of the baseline: the app tried again and then went on as usual. */
export function hasRecovered({ calls }: Run, baseline: Run): boolean {
  const healthy = namesOf(calls.filter(({ fault }) => fault === undefined))
  const usual = namesOf(baseline.calls)
  return healthy.length === usual.length && healthy.every((id, index) => id === usual[index])
}

/** Sorted, because calls that are made at the same time arrive in any order. */
const namesOf = (calls: readonly SeenCall[]): string[] => calls.map(({ id }) => id).sort()
