/** The runs of an app that are known: which of them a set of faults would repeat. */
import { type FaultSet, faultFor } from './fault-set.ts'

/** A call that the app made. */
export interface SeenCall {
  /** A name that is the same in each run: that of the request, or of its place in the run. */
  readonly id: string
  /** Number of times that the app has made this call, this time included. */
  readonly attempt: number
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

/** A point that runs reach after the same calls with the same faults. */
interface RunNode {
  /** The first run that ends here, and its place among all runs. */
  end?: { readonly run: AppRun; readonly place: number }
  /** The calls that come next, by name and attempt: several where calls are made at the same time. */
  readonly next: Map<string, RunStep>
}

interface RunStep {
  readonly id: string
  readonly attempt: number
  readonly byFault: Map<string | undefined, RunNode>
}

/** The runs that are known, as a tree of their calls: which run a set of faults leads to, without a look at all of them. */
export class RunTree {
  readonly #root: RunNode = { next: new Map() }
  #count = 0

  add(run: AppRun): void {
    let node = this.#root
    for (const { id, attempt, fault } of run.calls) {
      const key = `${attempt} ${id}`
      const step: RunStep = node.next.get(key) ?? { id, attempt, byFault: new Map() }
      node.next.set(key, step)
      node = step.byFault.get(fault) ?? { next: new Map() }
      step.byFault.set(fault, node)
    }
    node.end ??= { run, place: this.#count }
    this.#count++
  }

  /** The first run that these faults would repeat: each of its calls had the fault that it would get. */
  find(faults: FaultSet): AppRun | undefined {
    let found: RunNode['end']
    const open = [this.#root]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.end !== undefined && node.end.place < (found?.place ?? Number.POSITIVE_INFINITY)) found = node.end
      for (const { id, attempt, byFault } of node.next.values()) {
        const after = byFault.get(faultFor(faults, id, attempt))
        if (after !== undefined) open.push(after)
      }
    }
    return found?.run
  }
}
