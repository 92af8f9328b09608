/** The runs of an app that are known: which of them a set of faults would repeat. */
import { type FaultSet, faultFinder } from './fault-set.ts'

/** A call that the app made. */
export interface SeenCall {
  /** A name that is the same in each run: that of the request, or of its place in the run. */
  readonly id: string
  /** Number of times that the app has made this call, this time included. */
  readonly attempt: number
  /** Its names as the n-th call of all and of its model: an outage may begin there. */
  readonly places?: readonly string[]
  /** True if no rule of the scenario matched it, so that the echo answered. */
  readonly isUnscripted?: boolean
  /** The planned fault that was applied to it. */
  readonly fault?: string
  /** The planned fault that could not apply to it. */
  readonly refused?: string
}

/** A run of the app. */
export interface AppRun {
  readonly isPassed: boolean
  /** In the order in which they arrived. */
  readonly calls: readonly SeenCall[]
}

/** True if the calls without a fault are those of the baseline: the app tried again and then went on as usual. */
export function hasRecovered({ calls }: AppRun, baseline: AppRun): boolean {
  // Sorted, because calls that are made at the same time arrive in any order.
  const healthy = calls.flatMap(({ id, fault }) => (fault === undefined ? [id] : [])).sort()
  const usual = baseline.calls.map(({ id }) => id).sort()
  return healthy.length === usual.length && healthy.every((id, index) => id === usual[index])
}

/** The runs that are known. */
export class KnownRuns {
  /** By the first fault that was applied, so that a look at a few of them is enough. */
  readonly #byFault = new Map<string | undefined, { readonly run: AppRun; readonly place: number }[]>()
  #count = 0

  add(run: AppRun): void {
    const first = run.calls.find(({ fault }) => fault !== undefined)?.fault
    const others = this.#byFault.get(first) ?? []
    this.#byFault.set(first, others)
    others.push({ run, place: this.#count++ })
  }

  /** The first run that these faults would repeat: each of its calls had the fault that it would get. */
  find(faults: FaultSet): AppRun | undefined {
    const faultOf = faultFinder(faults)
    const found = [undefined, ...new Set(faults.map(({ fault }) => fault))].flatMap((first) => {
      const runs = this.#byFault.get(first) ?? []
      const same = runs.find(({ run }) =>
        run.calls.every(({ id, attempt, places, fault }) => faultOf(id, attempt, places) === fault),
      )
      return same ?? []
    })
    return found.sort((one, other) => one.place - other.place)[0]?.run
  }
}
