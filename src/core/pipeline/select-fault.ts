/**
 * The fault condition: which fault strikes a turn, if any.
 *
 * The five ways in, nearest to the caller first: the call's own header, code and control plane, the key, the
 * scenario's faults (those of the state it is in, then its own), a reply rule. The first that strikes is the only one.
 */

import type { Turn } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import { parseFault } from '../faults/catalogue.ts'
import type { Strike } from '../faults/fault.ts'
import type { Scenario } from '../scenario/compile/compile.ts'
import { impossible, type Struck } from './apply-fault.ts'
import { isDue } from './fault-schedule.ts'

/** The fault that strikes this turn; an error when its header names none, or when it can't happen in this transport. */
export function findFault(turn: Turn): Struck | { readonly error: ApiError } | undefined {
  const found = nearestFault(turn)
  if (found === undefined || 'error' in found) return found
  const { fault } = found.strike
  if (fault.kind !== 'wire' || fault.notOverFetch === undefined || turn.call.transport === 'http') return found
  return { error: impossible(found, `${fault.notOverFetch}. ${OVER_HTTP}`) }
}

const OVER_HTTP = 'Call the mock over HTTP instead: npx api-mock, or listen(mock) of llm-api-mock/node.'

function nearestFault(turn: Turn): Struck | { readonly error: ApiError } | undefined {
  const header = turn.call.header('x-mock-fault')
  if (header !== undefined) {
    const reading = parseFault(header)
    if ('problem' in reading)
      return { error: apiError('unknown-fault', { explanation: `x-mock-fault: ${reading.problem}` }) }
    return { strike: reading.strike, from: 'header' }
  }
  return injected(turn) ?? ofKey(turn) ?? ofScenario(turn) ?? ofReply(turn)
}

function injected(turn: Turn): Struck | undefined {
  const { injections } = turn.memory
  if (injections.length === 0) return undefined
  const injection = injections.find(({ match, strike }) => suits(strike, turn) && match(turn.facts) !== undefined)
  if (injection === undefined) return undefined
  turn.memory.spend(injection)
  return { strike: injection.strike, from: 'injected' }
}

function ofKey(turn: Turn): Struck | undefined {
  const strike = turn.keyRule?.strike
  return strike && suits(strike, turn) ? { strike, from: 'key' } : undefined
}

function ofScenario(turn: Turn): Struck | undefined {
  const { state, scenario } = turn
  return (state && ofRules(state.faults, turn)) ?? ofRules(scenario.faults, turn)
}

function ofRules(rules: Scenario['faults'], turn: Turn): Struck | undefined {
  for (const { place, match, strike, schedule } of rules) {
    if (!suits(strike, turn) || match(turn.facts) === undefined) continue
    if (schedule === undefined || isDue(schedule, place, turn)) return { strike, from: place }
  }
  return undefined
}

function ofReply(turn: Turn): Struck | undefined {
  if (turn.scenario.replies.length === 0) return undefined
  const rule = turn.spoken?.rule
  return rule?.strike && suits(rule.strike, turn) ? { strike: rule.strike, from: rule.place } : undefined
}

/** Whether a fault can strike this endpoint at all; where it can't, it waits for a call that it can. */
function suits({ fault }: Strike, { endpoint }: Turn): boolean {
  return fault.kind !== 'semantic' || fault.endpoint === undefined || fault.endpoint === endpoint
}
