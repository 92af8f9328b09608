/**
 * The runs of an app that are known: which of them a set of faults would repeat.
 *
 * An app that gets the same answers makes the same calls. So a set of faults repeats a known run if each call of that run
 * had just the fault that the set applies to it. Say a fault on call `a` made the app stop before call `b`: this fault,
 * together with any fault on `b`, is the same run again.
 */
import { type FaultSet, faultFinder } from './fault-set.ts'

/** A call that the app made. */
export interface SeenCall {
  /** A name that is the same in each run: that of the request, or of its position in the run. */
  readonly id: string
  /** Number of times that the app has made this call, this time included. */
  readonly attempt: number
  /** Its names by position, among all calls and among those of its model, such as `* #3` and `chat gpt-4o #2`. */
  readonly positions?: readonly string[]
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

/**
 * The known runs as a tree: runs that begin with the same calls and faults share the nodes of these.
 *
 *     start -- call a, no fault --> node -- call b, no fault --> node, the end of run 0
 *          \-- call a, `hang` ----> node, the end of run 1
 */
export class KnownRuns {
  /** In the order in which they were added. */
  readonly #runs: AppRun[] = []
  readonly #start: RunNode = { next: new Map() }

  add(run: AppRun): void {
    let node = this.#start
    for (const call of run.calls) {
      const name = `${call.id} ${call.attempt} ${call.positions}`
      const { byFault } = node.next.get(name) ?? { byFault: new Map<string | undefined, RunNode>() }
      node.next.set(name, { call, byFault })
      node = byFault.get(call.fault) ?? { next: new Map() }
      byFault.set(call.fault, node)
    }
    node.end ??= this.#runs.push(run) - 1
  }

  /** The first run that these faults would repeat. */
  find(faults: FaultSet): AppRun | undefined {
    const faultOf = faultFinder(faults)
    let first = Number.POSITIVE_INFINITY
    const visit = ({ next, end }: RunNode): void => {
      if (end !== undefined) first = Math.min(first, end)
      // Calls that are made at the same time arrive in any order, so several may come next.
      for (const { call, byFault } of next.values()) {
        const node = byFault.get(faultOf(call.id, call.attempt, call.positions))
        if (node !== undefined) visit(node)
      }
    }
    visit(this.#start)
    return this.#runs[first]
  }
}

/** A point in the known runs, after the same calls with the same faults. */
interface RunNode {
  /** The next calls, with the nodes after them by the faults that they had. */
  readonly next: Map<string, { readonly call: SeenCall; readonly byFault: Map<string | undefined, RunNode> }>
  /** The index of the first run that ended here. */
  end?: number
}
