/** Refinement: which other faults of the same class break the app too, once a finding is confirmed. */
import type { Finding, Refinement, SearchSteps } from './experiments.ts'

/**
 * Tries other faults in place of each fault of a finding.
 * @param allVariants for each fault of the finding
 * @returns what became of them, for each fault
 */
export function* refine(
  { faults }: Finding,
  allVariants: readonly (readonly string[])[],
  jobs: number,
): SearchSteps<readonly Refinement[]> {
  const refinements: Refinement[] = []
  for (const [index, fault] of faults.entries()) {
    const variants = allVariants[index]!
    const fails: string[] = []
    const passes: string[] = []
    for (let start = 0; start < variants.length; start += jobs) {
      const batch = variants.slice(start, start + jobs)
      const runs = yield batch.map((variant) => faults.with(index, { ...fault, fault: variant }))
      for (const [place, variant] of batch.entries()) {
        const { isPassed, calls } = runs[place]!
        // One that cannot apply to the call says nothing.
        if (calls.every(({ refused }) => refused === undefined)) (isPassed ? passes : fails).push(variant)
      }
    }
    refinements.push({ fails, passes })
  }
  return refinements
}
