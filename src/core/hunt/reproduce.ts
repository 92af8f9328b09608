/** Sets of faults as the rules of a scenario. */
import type { ScenarioSource } from '../scenario/scenario-source.ts'
import { faultFields } from './fault-classes.ts'
import type { FaultSet } from './fault-set.ts'
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
  const sorted = planned.toSorted((one, other) => Number(one.attempt === 'every') - Number(other.attempt === 'every'))
  return sorted.map((fault): FaultRule => {
    const call = knownCall(fault.call, known)
    const when = { request: call.body ?? {}, ...(fault.attempt !== 'every' && { attempt: fault.attempt }) }
    return { ...faultFields(fault.fault, call), when } as FaultRule
  })
}

/** @throws when no run has shown the call. */
export function knownCall(id: string, known: ReadonlyMap<string, KnownCall>): KnownCall {
  const found = known.get(id)
  if (found === undefined) throw new Error(`expected a call that was seen, got ${id}`)
  return found
}
