/**
 * Sets of faults as the rules of a scenario, and the rules that a scenario has applied as a set of faults.
 *
 * `{ call: '1q307jmytm5', attempt: 2, fault: 'cut; after=3' }` is the rule
 * `{ when: { request: { model: 'gpt-4o', ... }, attempt: 2 }, fault: cut, after: 3 }`. The outage `from chat gpt-4o #2` is a
 * rule with `when: { endpoint: chat, model: gpt-4o }, skip: 1`.
 */
import { parseFaultRule } from '../../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { faultNamed } from '../../core/protocol/faults/read-fault.ts'
import { faultIn } from '../../core/protocol/plan/plan.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { type FaultFields, faultFields, faultText, isFaultClass } from './fault-classes.ts'
import {
  ALL_CALLS,
  type FaultSet,
  isSameKind,
  outageStart,
  outagesOf,
  type PlannedFault,
  startOf,
  withFault,
} from './fault-set.ts'
import {
  type CallRule,
  type IdentityOptions,
  identifyCalls,
  isHunted,
  type KnownCalls,
  knownCall,
  type SourceFault,
} from './known-calls.ts'

/** The scenario of a hunt: what the hunt ignores, the scenario ignores. */
export const ignoring = (source: ScenarioSource, ignore: readonly string[] = []): ScenarioSource =>
  ignore.length === 0 ? source : { ...source, ignore: [...new Set([...(source.ignore ?? []), ...ignore])] }

/** The scenario with the planned faults as its first rules, before its own. */
export function withFaults(source: ScenarioSource, planned: FaultSet, known: KnownCalls): ScenarioSource {
  if (planned.length === 0) return source
  const onOneAttempt = planned.filter(({ attempt }) => typeof attempt === 'number')
  const onEveryAttempt = planned.filter(({ attempt }) => attempt === 'every')
  // The first rule that matches a call applies. Of faults on every attempt, the one that begins last goes first.
  const ordered = [
    ...outagesOf(planned),
    ...onOneAttempt.sort((one, other) => startOf(one) - startOf(other)),
    ...onEveryAttempt.sort((one, other) => startOf(other) - startOf(one)),
  ]
  const rules = ordered.map((fault) => {
    const call = knownCall(fault.call, known)
    return { ...faultFields(fault.fault, call), ...extentFields(fault, call, planned) } as SourceFault
  })
  return { ...source, faults: [...rules, ...(source.faults ?? [])] }
}

/**
 * The conditions and the schedule of a rule: the calls that it hits. A call that its whole body tells apart has the condition
 * `attempt`. With `isCounted`, the rule counts instead, and only calls that no earlier rule took. Say `cut` is planned for
 * attempt 2 and `hang` for attempt 5:
 *
 *     { when, skip: 1, times: 1, fault: cut }
 *     { when, skip: 3, times: 1, fault: hang }   skips attempts 1, 3 and 4
 */
function extentFields(fault: PlannedFault, { when, isCounted }: CallRule, planned: FaultSet): Partial<SourceFault> {
  const { attempt } = fault
  const outage = outageStart(fault)
  if (outage !== undefined) {
    // All calls from one on: `chat gpt-4o #2`, or `* #3`.
    const [, endpoint = ALL_CALLS, model = '', number] = /^(\S+) ?(.*) #(\d+)$/.exec(outage) ?? []
    const kind = { endpoint, ...(model !== '' && { model }) } as CallRule['when']
    return { ...(endpoint !== ALL_CALLS && { when: kind }), ...skipFirst(Number(number) - 1) }
  }
  if (!isCounted) return { when: { ...when, ...(typeof attempt === 'number' && { attempt }) } }
  const start = startOf(fault)
  const takenBefore = planned.filter(
    (other) => typeof other.attempt === 'number' && isSameKind(other.call, fault.call) && startOf(other) < start,
  )
  return { when, ...skipFirst(start - 1 - takenBefore.length), ...(typeof attempt === 'number' && { times: 1 }) }
}

const skipFirst = (count: number): Pick<SourceFault, 'skip'> => (count > 0 ? { skip: count } : {})

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
  let applied: FaultSet = []
  for (const entry of entries.filter(isHunted)) {
    const { id, attempt } = identify(entry)
    // The reason names the rule by its place in the scenario: `hang (states.down.faults[0])`.
    const place = parseFaultRule(faultIn(entry.reason)?.from ?? '')
    if (place === undefined) continue
    const rules = place.state === undefined ? faults : states?.[place.state]?.faults
    const rule = rules?.[place.index]
    if (rule === undefined) continue
    const options = Object.keys(faultNamed(rule.fault)?.options ?? {})
    const fields = Object.entries(rule).filter(([name]) => options.includes(name))
    const text = faultText({ ...Object.fromEntries(fields), fault: String(rule.fault) } as FaultFields)
    // A hunt reads `server-error` as the class, which retries at once. `server-error;` is the fault, without options.
    const fault = isFaultClass(text) ? `${text};` : text
    applied = withFault(applied, { call: id, attempt, fault }) ?? applied
  }
  return applied
}
