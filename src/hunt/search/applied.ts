/** The faults that a scenario applied in a run, as a set that applies the same faults again. */

import { parseFaultRule } from '../../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { faultNamed } from '../../core/protocol/faults/read-fault.ts'
import { faultIn } from '../../core/protocol/plan/plan.ts'
import { parseCallCount } from '../../core/scenario/compile/call-count.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { type FaultFields, namedFaultText } from './fault-classes.ts'
import { type FaultSet, withFault } from './fault-set.ts'
import type { Identify } from './identity.ts'

type FaultRule = NonNullable<ScenarioSource['faults']>[number]

/** The scenario without the faults of its rules: those of `faults`, and of states. */
export function withoutFaults({ faults: _, states, ...source }: ScenarioSource): ScenarioSource {
  if (states === undefined) return source
  const calm = Object.entries(states).map(([name, { faults: _faults, ...state }]) => [name, state])
  return { ...source, states: Object.fromEntries(calm) }
}

/** The faults that the rules of a scenario have applied to calls. */
export function appliedFaults(entries: readonly JournalEntry[], source: ScenarioSource, identify: Identify): FaultSet {
  return entries.reduce<FaultSet>((faults, entry) => {
    if (entry.method !== 'POST' || entry.endpoint === 'unknown') return faults
    const { id, attempt } = identify(entry)
    const rule = ruleNamed(source, faultIn(entry.reason)?.from ?? '')
    if (rule === undefined) return faults
    return withFault(faults, { call: id, attempt, fault: namedFaultText(fieldsOf(rule)) }) ?? faults
  }, [])
}

/** The rule that an id names: `faults[0]`, `states.down.faults[1]`. */
function ruleNamed({ faults, states }: ScenarioSource, ruleId: string): FaultRule | undefined {
  const found = parseFaultRule(ruleId)
  if (found === undefined) return undefined
  return (found.state === undefined ? faults : states?.[found.state]?.faults)?.[found.index]
}

/** The fault of a rule with its options, without its conditions and its schedule. */
function fieldsOf(rule: FaultRule): FaultFields {
  const options = Object.keys(faultNamed(rule.fault)?.options ?? {})
  // `after` is an option of some faults, and a schedule when it is a number of calls.
  const isOption = ([name, value]: [string, unknown]): boolean =>
    options.includes(name) && parseCallCount(value) === undefined
  return { ...Object.fromEntries(Object.entries(rule).filter(isOption)), fault: String(rule.fault) } as FaultFields
}
