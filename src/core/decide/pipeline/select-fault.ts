/**
 * The fault stage: which fault applies to a call, if any.
 *
 * Five sources, nearest to the client first: the call's own header, injected faults, the key, the scenario's faults
 * (those of its state, then its own), a reply rule. The first fault found is the only one.
 */

import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import { parseFault } from '../../protocol/faults/read-fault.ts'
import type { Scenario } from '../../scenario/compile/compile.ts'
import type { CallContext } from '../call/call-context.ts'
import type { Effect } from '../state/apply-effects.ts'
import { notApplicable, type SelectedFault } from './apply-fault.ts'
import { scheduleObstacle } from './fault-schedule.ts'

/** The selected fault, or an error if the header names none or the fault can't happen in this transport; or neither. */
export interface Selection {
  readonly fault: SelectedFault | undefined
  readonly error: ApiError | undefined
  /** What the selection changes in the state. */
  readonly effects: readonly Effect[]
}

/** Selects the fault of a call. */
export function selectFault(context: CallContext): Selection {
  const effects: Effect[] = []
  const header = context.call.header('x-mock-fault')
  const { fault, error } =
    header === undefined ? { fault: configured(context, effects), error: undefined } : ofHeader(header)
  if (fault === undefined) return { fault, error, effects }
  const { fault: kind } = fault.configured
  if (kind.kind !== 'wire' || kind.notOverFetch === undefined || context.call.transport === 'http') {
    return { fault, error: undefined, effects }
  }
  return { fault: undefined, error: notApplicable(fault, `${kind.notOverFetch}. ${OVER_HTTP}`), effects }
}

const OVER_HTTP = 'Call the mock over HTTP instead: npx api-mock, or listen(mock) of llm-api-mock/node.'

function ofHeader(header: string): Omit<Selection, 'effects'> {
  const reading = parseFault(header)
  return 'problem' in reading
    ? { fault: undefined, error: apiError('unknown-fault', { explanation: `x-mock-fault: ${reading.problem}` }) }
    : { fault: { configured: reading.configured, source: 'header', from: 'header' }, error: undefined }
}

const configured = (context: CallContext, effects: Effect[]): SelectedFault | undefined =>
  injected(context, effects) ?? ofKey(context, effects) ?? ofScenario(context, effects) ?? ofReply(context)

function injected(context: CallContext, effects: Effect[]): SelectedFault | undefined {
  const { name } = context.session
  for (const injection of context.mockState.injections) {
    const { session = name, match, configured, delay } = injection
    if (session !== name || !suits(configured, context) || match(context.facts) === undefined) continue
    effects.push({ type: 'spend', injection })
    if (delay === 0) return { configured, source: 'injection', from: 'injected' }
  }
  return undefined
}

/** The name of a key's fault among the counters of the key. */
export const KEY_FAULT = 'key'

function ofKey(context: CallContext, effects: Effect[]): SelectedFault | undefined {
  const { fault, schedule } = context.keyRule ?? {}
  if (fault === undefined || !suits(fault, context)) return undefined
  if (schedule !== undefined && scheduleObstacle(schedule, KEY_FAULT, context, effects) !== undefined) return undefined
  return { configured: fault, source: 'key', from: 'key' }
}

function ofScenario(context: CallContext, effects: Effect[]): SelectedFault | undefined {
  const { state, scenario } = context
  return (state && ofRules(state.faults, context, effects)) ?? ofRules(scenario.faults, context, effects)
}

function ofRules(rules: Scenario['faults'], context: CallContext, effects: Effect[]): SelectedFault | undefined {
  for (const { ruleId, match, fault, schedule } of rules) {
    if (!suits(fault, context) || match(context.facts) === undefined) continue
    if (schedule === undefined || scheduleObstacle(schedule, ruleId, context, effects) === undefined)
      return { configured: fault, source: 'fault-rule', from: ruleId }
  }
  return undefined
}

function ofReply(context: CallContext): SelectedFault | undefined {
  const rule = context.matchedRule?.rule
  if (rule?.fault === undefined || !suits(rule.fault, context)) return undefined
  return { configured: rule.fault, source: 'reply-rule', from: rule.ruleId }
}

/** Whether a fault can apply to this endpoint at all. An injected one waits for a call that it can apply to. */
export function suits({ fault }: ConfiguredFault, { endpoint }: CallContext): boolean {
  return fault.kind !== 'semantic' || fault.endpoint === undefined || fault.endpoint === endpoint
}
