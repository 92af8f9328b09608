/** Sets of faults as the rules of a scenario, and the rules that a scenario applied as a set of faults. */
import { parseFaultRule } from '../../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { faultNamed } from '../../core/protocol/faults/read-fault.ts'
import { faultIn } from '../../core/protocol/plan/plan.ts'
import { parseCallCount } from '../../core/scenario/compile/call-count.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { type FaultFields, faultFields, faultText, isFaultClass } from './fault-classes.ts'
import { type FaultSet, isSameKind, type PlannedFault, startOf, withFault } from './fault-set.ts'
import {
  type IdentityOptions,
  identifyCalls,
  isHunted,
  type KnownCalls,
  knownCall,
  type SourceFault,
} from './known-calls.ts'

/** The scenario with the planned faults before its own. A fault on one attempt goes before one on every attempt. */
export function withFaults(source: ScenarioSource, planned: FaultSet, known: KnownCalls): ScenarioSource {
  if (planned.length === 0) return source
  // Faults on one attempt first, then those that last, the last one to begin first.
  const rank = (fault: PlannedFault): number => (fault.attempt === 'every' ? 1e9 - startOf(fault) : startOf(fault))
  const rules = planned
    .toSorted((one, other) => rank(one) - rank(other))
    .map((fault) => {
      const call = knownCall(fault.call, known)
      const { when, isCounted } = call
      const fields = faultFields(fault.fault, call)
      if (isCounted) return { ...fields, when, ...countFields(fault, planned) } as SourceFault
      return {
        ...fields,
        when: { ...when, ...(fault.attempt !== 'every' && { attempt: fault.attempt }) },
      } as SourceFault
    })
  return { ...source, faults: [...rules, ...(source.faults ?? [])] }
}

/** The schedule of a rule that counts the calls that its conditions match, from which earlier rules take some. */
function countFields(fault: PlannedFault, planned: FaultSet): Pick<SourceFault, 'after' | 'times'> {
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

/** The scenario without the faults of its rules: those of `faults`, and of states. */
export function withoutFaults({ faults: _, states, ...source }: ScenarioSource): ScenarioSource {
  if (states === undefined) return source
  const calm = Object.entries(states).map(([name, { faults: _faults, ...state }]) => [name, state])
  return { ...source, states: Object.fromEntries(calm) }
}

/** The faults that the rules of a scenario have applied to calls, without their conditions and schedules. */
export function appliedFaults(
  entries: readonly JournalEntry[],
  { faults, states }: ScenarioSource,
  identity: IdentityOptions,
): FaultSet {
  const identify = identifyCalls(identity)
  return entries.filter(isHunted).reduce<FaultSet>((applied, entry) => {
    const { id, attempt } = identify(entry)
    const found = parseFaultRule(faultIn(entry.reason)?.from ?? '')
    if (found === undefined) return applied
    const rule = (found.state === undefined ? faults : states?.[found.state]?.faults)?.[found.index]
    if (rule === undefined) return applied
    const options = Object.keys(faultNamed(rule.fault)?.options ?? {})
    const fields = Object.entries(rule).filter(
      // `after` is an option of some faults, and a schedule when it is a number of calls.
      ([name, value]) => options.includes(name) && parseCallCount(value) === undefined,
    )
    const text = faultText({ ...Object.fromEntries(fields), fault: String(rule.fault) } as FaultFields)
    // The name of a fault may be that of a class too: `server-error;` is the fault without options.
    return withFault(applied, { call: id, attempt, fault: isFaultClass(text) ? `${text};` : text }) ?? applied
  }, [])
}
