/** Findings in groups: those that hit the same attempts of the same calls most often have one cause. */
import { type FailingSet, isFlaky } from './experiments.ts'
import { isFaultClass } from './fault-classes.ts'
import type { PlannedFault } from './fault-set.ts'

/** An attempt of a call, and the faults that hit it in the findings of a group. */
export interface GroupPlace extends Pick<PlannedFault, 'call' | 'attempt'> {
  readonly faults: readonly string[]
}

/** Findings that differ only in what happens to their calls. */
export interface FindingGroup<One extends FailingSet = FailingSet> {
  readonly places: readonly GroupPlace[]
  readonly findings: readonly One[]
}

/** The groups, in the order of their first findings. Flaky and unconfirmed findings are not grouped with others. */
export function groupFindings<One extends FailingSet>(findings: readonly One[]): FindingGroup<One>[] {
  const groups = new Map<string, One[]>()
  for (const finding of findings) {
    // A cut at one place belongs to no class, so it is a group by itself.
    const places = finding.faults.map(({ call, attempt, fault }) => [call, attempt, isFaultClass(fault) || fault])
    const key = JSON.stringify([isFlaky(finding), finding.tries === 1, places])
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()].map((members) => ({
    places: members[0]!.faults.map(({ call, attempt }, index) => ({
      call,
      attempt,
      faults: [...new Set(members.map(({ faults }) => faults[index]!.fault))],
    })),
    findings: members,
  }))
}
