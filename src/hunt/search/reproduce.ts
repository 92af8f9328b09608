/** Sets of faults as the rules of a scenario. */
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { faultFields } from './fault-classes.ts'
import { type FaultSet, isSameKind, type PlannedFault, startOf } from './fault-set.ts'
import type { KnownCall } from './observe.ts'

type FaultRule = NonNullable<ScenarioSource['faults']>[number]

/** The scenario with the planned faults before its own. A fault on one attempt goes before one on every attempt. */
export function withFaults(
  source: ScenarioSource,
  planned: FaultSet,
  known: ReadonlyMap<string, KnownCall>,
): ScenarioSource {
  const rules = rulesOf(planned, known)
  return rules.length === 0 ? source : { ...source, faults: [...rules, ...(source.faults ?? [])] }
}

function rulesOf(planned: FaultSet, known: ReadonlyMap<string, KnownCall>): FaultRule[] {
  const sorted = planned.toSorted((one, other) => rank(one) - rank(other))
  return sorted.map((fault): FaultRule => {
    const call = knownCall(fault.call, known)
    const { when, isCounted } = call
    const fields = faultFields(fault.fault, call)
    if (isCounted) return { ...fields, when, ...countFields(fault, planned) } as FaultRule
    return { ...fields, when: { ...when, ...(fault.attempt !== 'every' && { attempt: fault.attempt }) } } as FaultRule
  })
}

/** Faults on one attempt first, then those that last, the last one to begin first. */
const rank = (fault: PlannedFault): number => (fault.attempt === 'every' ? 1e9 - startOf(fault) : startOf(fault))

/** The schedule of a rule that counts the calls that its conditions match, from which earlier rules take some. */
function countFields(fault: PlannedFault, planned: FaultSet): Pick<FaultRule, 'after' | 'times'> {
  const start = startOf(fault)
  const takenBefore = planned.filter(
    (one) => one.attempt !== 'every' && isSameKind(one.call, fault.call) && startOf(one) < start,
  )
  const after = start - 1 - takenBefore.length
  return {
    ...(after > 0 && { after: after === 1 ? '1 call' : `${after} calls` }),
    ...(fault.attempt !== 'every' && { times: 1 }),
  }
}

/** @throws when no run has shown the call. */
export function knownCall(id: string, known: ReadonlyMap<string, KnownCall>): KnownCall {
  const found = known.get(id)
  if (found === undefined) throw new Error(`expected a call that was seen, got ${id}`)
  return found
}
