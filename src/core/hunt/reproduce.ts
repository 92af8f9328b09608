/** Sets of faults as the rules of a scenario, and in words. */
import type { ScenarioSource } from '../scenario/scenario-source.ts'
import { FAULT_CLASSES, type FaultClassName, type FaultFields } from './fault-classes.ts'
import type { FaultSet, PlannedFault } from './fault-set.ts'
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
    const { body } = knownCall(fault, known)
    const when = { request: body ?? {}, ...(fault.attempt !== 'every' && { attempt: fault.attempt }) }
    return { ...fieldsOf(fault, known), when } as FaultRule
  })
}

/** `call 2 (POST chat "Summarise...", every attempt): cut; before=finish`. */
export function describeFault(planned: PlannedFault, known: ReadonlyMap<string, KnownCall>): string {
  const { fault, ...options } = fieldsOf(planned, known)
  const extent = planned.attempt === 'every' ? 'every attempt' : `attempt ${planned.attempt}`
  const place = [...known.keys()].indexOf(planned.call) + 1
  const values = Object.entries(options).map(([name, value]) => `; ${name}=${value}`)
  return `call ${place} (${knownCall(planned, known).label}, ${extent}): ${fault}${values.join('')}`
}

const fieldsOf = (planned: PlannedFault, known: ReadonlyMap<string, KnownCall>): FaultFields =>
  FAULT_CLASSES[planned.fault as FaultClassName].faultFor(knownCall(planned, known))

function knownCall({ call }: PlannedFault, known: ReadonlyMap<string, KnownCall>): KnownCall {
  const found = known.get(call)
  if (found === undefined) throw new Error(`expected a call that was seen, got ${call}`)
  return found
}
