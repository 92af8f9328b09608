/**
 * The fault condition: which fault strikes a turn, if any.
 *
 * The five ways in, nearest to the caller first: the call's own header, code and control plane, the key, the
 * scenario's faults (those of the state it is in, then its own), a reply rule. The first that strikes is the only one.
 */

import type { CallContext } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import type { ConfiguredFault } from '../faults/fault.ts'
import { parseFault } from '../faults/read-fault.ts'
import type { Scenario } from '../scenario/compile/compile.ts'
import { notApplicable, type SelectedFault } from './apply-fault.ts'
import { isDue } from './fault-schedule.ts'

/** The fault that strikes this turn; an error when its header names none, or when it can't happen in this transport. */
export function selectFault(context: CallContext): SelectedFault | { readonly error: ApiError } | undefined {
  const found = nearestFault(context)
  if (found === undefined || 'error' in found) return found
  const { fault } = found.configured
  if (fault.kind !== 'wire' || fault.notOverFetch === undefined || context.call.transport === 'http') return found
  return { error: notApplicable(found, `${fault.notOverFetch}. ${OVER_HTTP}`) }
}

const OVER_HTTP = 'Call the mock over HTTP instead: npx api-mock, or listen(mock) of llm-api-mock/node.'

function nearestFault(context: CallContext): SelectedFault | { readonly error: ApiError } | undefined {
  const header = context.call.header('x-mock-fault')
  if (header !== undefined) {
    const reading = parseFault(header)
    if ('problem' in reading)
      return { error: apiError('unknown-fault', { explanation: `x-mock-fault: ${reading.problem}` }) }
    return { configured: reading.configured, from: 'header' }
  }
  return injected(context) ?? ofKey(context) ?? ofScenario(context) ?? ofReply(context)
}

function injected(context: CallContext): SelectedFault | undefined {
  const { injections } = context.memory
  if (injections.length === 0) return undefined
  const injection = injections.find(
    ({ match, configured }) => suits(configured, context) && match(context.facts) !== undefined,
  )
  if (injection === undefined) return undefined
  context.memory.spend(injection)
  return { configured: injection.configured, from: 'injected' }
}

function ofKey(context: CallContext): SelectedFault | undefined {
  const configured = context.keyRule?.fault
  return configured && suits(configured, context) ? { configured, from: 'key' } : undefined
}

function ofScenario(context: CallContext): SelectedFault | undefined {
  const { state, scenario } = context
  return (state && ofRules(state.faults, context)) ?? ofRules(scenario.faults, context)
}

function ofRules(rules: Scenario['faults'], context: CallContext): SelectedFault | undefined {
  for (const { ruleId, match, fault, schedule } of rules) {
    if (!suits(fault, context) || match(context.facts) === undefined) continue
    if (schedule === undefined || isDue(schedule, ruleId, context)) return { configured: fault, from: ruleId }
  }
  return undefined
}

function ofReply(context: CallContext): SelectedFault | undefined {
  if (context.scenario.replies.length === 0) return undefined
  const rule = context.matchedRule?.rule
  return rule?.fault && suits(rule.fault, context) ? { configured: rule.fault, from: rule.ruleId } : undefined
}

/** Whether a fault can strike this endpoint at all; where it can't, it waits for a call that it can. */
function suits({ fault }: ConfiguredFault, { endpoint }: CallContext): boolean {
  return fault.kind !== 'semantic' || fault.endpoint === undefined || fault.endpoint === endpoint
}
