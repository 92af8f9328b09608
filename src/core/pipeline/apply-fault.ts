/** How a fault strikes: what it answers, how it bends a plan, and what is said where it finds nothing that it can bend. */

import type { Turn } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import { Twist } from '../faults/answer-mutator.ts'
import type { CallFacts, Impossible, ProxyPage, Strike } from '../faults/fault.ts'
import { type Plan, type Reason, statusOf } from '../plan/plan.ts'
import { isStream } from '../plan/transform.ts'

/** A fault that strikes, and where it came from. */
export interface Struck {
  readonly strike: Strike
  readonly from: string
}

/** What an answer fault answers; undefined for a fault that bends the answer later. */
export function failureOf({ strike: { fault, options } }: Struck, turn: Turn): ApiError | ProxyPage | undefined {
  return fault.kind === 'answer' ? fault.answer(facts(turn), options) : undefined
}

/** A semantic fault at work on the answer that the endpoint is about to make. */
export function twistOf({ strike: { fault } }: Struck, turn: Turn): Twist | undefined {
  return fault.kind === 'semantic' ? new Twist(fault, turn.random('twist')) : undefined
}

/**
 * The plan as a fault bends it. Who asks by header for a fault that can't happen to this answer must hear so, and gets
 * an error; a rule is for many calls, so it passes this one over, and a note says why. The same for a call that is
 * refused anyway.
 */
export function bendPlan(plan: Plan, struck: Struck, twist: Twist | undefined, turn: Turn): Plan | ApiError {
  const bent = bend(plan, struck, twist, turn)
  if (bent === undefined) return plan
  if (!('impossible' in bent)) return { ...bent, reason: reasonOf(struck) }
  const error = impossible(struck, bent.impossible)
  if (struck.from === 'header' && statusOf(plan) < 400) return error
  return { ...plan, notes: [...plan.notes, error.body.message] }
}

const NO_STREAM =
  'it bends a stream, and this answer is none. Ask for one with "stream": true; a rule is confined to such calls with when: { stream: true }.'

function bend(plan: Plan, { strike }: Struck, twist: Twist | undefined, turn: Turn): Plan | Impossible | undefined {
  const { fault, options } = strike
  switch (fault.kind) {
    case 'answer':
      return undefined
    case 'semantic':
      return twist!.hasStruck ? plan : { impossible: `it needs ${fault.needs}.` }
    case 'stream':
      return isStream(plan) ? fault.bend(plan, options, facts(turn)) : { impossible: NO_STREAM }
    case 'wire':
      return fault.bend(plan, options, facts(turn))
    default:
      return fault satisfies never
  }
}

export const impossible = ({ strike, from }: Struck, explanation: string): ApiError =>
  apiError('impossible-fault', { fault: `'${strike.fault.name}' (${from})`, explanation })

/** `server-error (faults[0])`: the fault and where it came from. */
export function reasonOf({ strike, from }: Struck): Reason {
  return { by: 'fault', name: `${strike.fault.name} (${from})` }
}

function facts(turn: Turn): CallFacts {
  const { endpoint, model, maskedKey, scenario, identity } = turn
  return {
    endpoint,
    model,
    maskedKey,
    organization: scenario.organization,
    requestId: identity.requestId,
    realMs: (ms) => turn.realMs(ms),
  }
}
