/** Runs the search over the small apps. */
import { expect } from 'vitest'
import type { SearchResult } from '../../../src/hunt/search/experiments.ts'
import { FaultSearch, type FaultSearchOptions } from '../../../src/hunt/search/fault-search.ts'
import type { PlannedFault } from '../../../src/hunt/search/fault-set.ts'
import type { AppRun } from '../../../src/hunt/search/known-runs.ts'
import { FAULTS, runApp, type Step } from './apps.ts'

type Options = Omit<FaultSearchOptions, 'baseline' | 'faults'>

/** @param run what happens under a set of faults */
export function hunt(
  run: (faults: readonly PlannedFault[]) => AppRun,
  options: Options,
): SearchResult & { readonly runs: number } {
  const steps = new FaultSearch({ baseline: run([]), faults: FAULTS, ...options }).run()
  let runs = 0
  let { done, value } = steps.next()
  while (done !== true) {
    const batch = value as readonly (readonly PlannedFault[])[]
    expect(batch.length).toBeLessThanOrEqual(options.jobs ?? 1)
    runs += batch.length
    ;({ done, value } = steps.next(batch.map(run)))
  }
  return { ...(value as SearchResult), runs }
}

export const huntApp = (app: readonly Step[], options: Options) => hunt((faults) => runApp(app, faults), options)

export const step = (call: string, more: Partial<Step> = {}): Step => ({
  ...{ call, retries: 0, fallback: [], isOptional: false, trust: 'checked' },
  ...more,
})
