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
  /** Digests of what it printed and returned, the strictest first. Default: unknown. */
  readonly shown?: readonly string[] | undefined
}

/** True if the calls without a fault are those of the baseline: the app tried again and then went on as usual. */
export function hasRecovered({ calls }: AppRun, baseline: AppRun): boolean {
  // Sorted, because calls that are made at the same time arrive in any order.
  const healthy = calls.flatMap(({ id, fault }) => (fault === undefined ? [id] : [])).sort()
  const usual = baseline.calls.map(({ id }) => id).sort()
  return healthy.length === usual.length && healthy.every((id, index) => id === usual[index])
}

/** A point in the known runs, after the same calls with the same faults. */
interface RunNode {
  /** The next calls, with the points after them by their faults. */
  readonly next: Map<string, { readonly call: SeenCall; readonly byFault: Map<string | undefined, RunNode> }>
  /** The first run that ended here, and its place among all. */
  ended?: { readonly run: AppRun; readonly place: number }
}

/** The runs that are known, as a tree: runs that begin alike share their first calls. */
export class KnownRuns {
  readonly #start: RunNode = { next: new Map() }
  #count = 0

  add(run: AppRun): void {
    let node = this.#start
    for (const call of run.calls) {
      const name = `${call.id} ${call.attempt} ${call.places}`
      const { byFault } = node.next.get(name) ?? { byFault: new Map<string | undefined, RunNode>() }
      node.next.set(name, { call, byFault })
      node = byFault.get(call.fault) ?? { next: new Map() }
      byFault.set(call.fault, node)
    }
    node.ended ??= { run, place: this.#count++ }
  }

  /** The first run that these faults would repeat: each of its calls had the fault that it would get. */
  find(faults: FaultSet): AppRun | undefined {
    const faultOf = faultFinder(faults)
    // Calls that are made at the same time arrive in any order, so several may come next.
    const endsAfter = ({ next, ended }: RunNode): NonNullable<RunNode['ended']>[] => [
      ...(ended === undefined ? [] : [ended]),
      ...[...next.values()].flatMap(({ call: { id, attempt, places }, byFault }) => {
        const node = byFault.get(faultOf(id, attempt, places))
        return node === undefined ? [] : endsAfter(node)
      }),
    ]
    return endsAfter(this.#start).sort((one, other) => one.place - other.place)[0]?.run
  }
}
