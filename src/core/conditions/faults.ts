/**
 * The fault condition: which fault strikes a turn, if any.
 *
 * The five ways in, nearest to the caller first: the call's own header, code and control plane, the key, the
 * scenario's faults, a reply rule. The first that strikes is the only one.
 */
import { type ApiError, apiError } from '../errors.ts'
import { isStream } from '../faults/bending.ts'
import { parseFault } from '../faults/catalogue.ts'
import type { CallFacts, ProxyPage, Strike } from '../faults/fault.ts'
import { type Plan, type Reason, statusOf } from '../plan.ts'
import type { Turn } from '../turn.ts'

/** A fault that strikes, and where it came from. */
export interface Struck {
  readonly strike: Strike
  readonly from: string
}

/** The fault that strikes this turn; an error when its header names none, or when it can't happen in this transport. */
export function findFault(turn: Turn): Struck | { readonly error: ApiError } | undefined {
  const found = nearestFault(turn)
  if (found === undefined || 'error' in found) return found
  const { fault } = found.strike
  if (fault.kind !== 'wire' || fault.notOverFetch === undefined || turn.call.transport === 'http') return found
  return { error: impossible(found, `${fault.notOverFetch}. ${OVER_HTTP}`) }
}

const OVER_HTTP = 'Call the mock over HTTP instead: npx api-mock, or listen(mock) of llm-api-mock/node.'
const NO_STREAM =
  'it bends a stream, and this answer is none. Ask for one with "stream": true, and confine the fault to such calls with when: { stream: true }.'

const impossible = ({ strike, from }: Struck, explanation: string): ApiError =>
  apiError('impossible-fault', { fault: `'${strike.fault.name}' (${from})`, explanation })

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

/** What an answer fault answers; undefined for a fault that bends the plan later. */
export function failureOf({ strike: { fault, options } }: Struck, turn: Turn): ApiError | ProxyPage | undefined {
  return fault.kind === 'answer' ? fault.answer(facts(turn), options) : undefined
}

/**
 * The plan as a fault bends it; an error when the fault can't happen to it. A call that is refused anyway is told why
 * it is refused, and a note says that the fault did not strike.
 */
export function bendPlan(plan: Plan, struck: Struck, turn: Turn): Plan | ApiError {
  const { fault, options } = struck.strike
  if (fault.kind === 'answer') return plan
  const bent =
    fault.kind === 'stream' && !isStream(plan) ? { impossible: NO_STREAM } : fault.bend(plan, options, facts(turn))
  if (!('impossible' in bent)) return { ...bent, reason: reasonOf(struck) }
  const error = impossible(struck, bent.impossible)
  return statusOf(plan) < 400 ? error : { ...plan, notes: [...plan.notes, error.body.message] }
}

/** `server-error (faults[0])`: the fault and where it came from. */
export function reasonOf({ strike, from }: Struck): Reason {
  return { by: 'fault', name: `${strike.fault.name} (${from})` }
}

function facts(turn: Turn): CallFacts {
  const { endpoint, model, maskedKey } = turn
  return { endpoint, model, maskedKey, organization: turn.scenario.organization, requestId: turn.identity.requestId }
}

function injected(turn: Turn): Struck | undefined {
  const { injections } = turn.memory
  if (injections.length === 0) return undefined
  const injection = injections.find(({ match }) => match(turn.facts) !== undefined)
  if (injection === undefined) return undefined
  turn.memory.spend(injection)
  return { strike: injection.strike, from: 'injected' }
}

function ofKey(turn: Turn): Struck | undefined {
  const strike = turn.keyRule?.strike
  return strike && { strike, from: 'key' }
}

function ofScenario(turn: Turn): Struck | undefined {
  for (const { place, match, strike, chance, first } of turn.scenario.faults) {
    if (match(turn.facts) === undefined) continue
    if (chance < 1 && turn.random(place).fraction() >= chance) continue
    if (first < Number.POSITIVE_INFINITY && turn.session.count(place) >= first) continue
    return { strike, from: place }
  }
  return undefined
}

function ofReply(turn: Turn): Struck | undefined {
  if (turn.scenario.replies.length === 0) return undefined
  const rule = turn.spoken?.rule
  return rule?.strike && { strike: rule.strike, from: rule.place }
}
