/** How a fault strikes: what it answers, how it bends a plan, and what is said where it finds nothing that it can bend. */

import type { CallContext } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import { AnswerMutator } from '../faults/answer-mutator.ts'
import type { CallFacts, ConfiguredFault, ProxyPage } from '../faults/fault.ts'
import { type Plan, type Reason, statusOf } from '../plan/plan.ts'
import { isStream, type NotApplicable } from '../plan/transform.ts'

/** A fault that strikes, and where it came from. */
export interface SelectedFault {
  readonly configured: ConfiguredFault
  readonly from: string
}

/** What an answer fault answers; undefined for a fault that bends the answer later. */
export function failureOf(
  { configured: { fault, options } }: SelectedFault,
  context: CallContext,
): ApiError | ProxyPage | undefined {
  return fault.kind === 'answer' ? fault.answer(facts(context), options) : undefined
}

/** A semantic fault at work on the answer that the endpoint is about to make. */
export function mutatorOf({ configured: { fault } }: SelectedFault, context: CallContext): AnswerMutator | undefined {
  return fault.kind === 'semantic' ? new AnswerMutator(fault, context.random('twist')) : undefined
}

/**
 * The plan as a fault bends it. Who asks by header for a fault that can't happen to this answer must hear so, and gets
 * an error; a rule is for many calls, so it passes this one over, and a note says why. The same for a call that is
 * refused anyway.
 */
export function applyFault(
  plan: Plan,
  struck: SelectedFault,
  twist: AnswerMutator | undefined,
  context: CallContext,
): Plan | ApiError {
  const bent = bend(plan, struck, twist, context)
  if (bent === undefined) return plan
  if (!('notApplicable' in bent)) return { ...bent, reason: reasonOf(struck) }
  const error = notApplicable(struck, bent.notApplicable)
  if (struck.from === 'header' && statusOf(plan) < 400) return error
  return { ...plan, notes: [...plan.notes, error.body.message] }
}

const NO_STREAM =
  'it bends a stream, and this answer is none. Ask for one with "stream": true; a rule is confined to such calls with when: { stream: true }.'

function bend(
  plan: Plan,
  { configured }: SelectedFault,
  twist: AnswerMutator | undefined,
  context: CallContext,
): Plan | NotApplicable | undefined {
  const { fault, options } = configured
  switch (fault.kind) {
    case 'answer':
      return undefined
    case 'semantic':
      return twist!.hasChanged ? plan : { notApplicable: `it needs ${fault.needs}.` }
    case 'stream':
      return isStream(plan) ? fault.transform(plan, options, facts(context)) : { notApplicable: NO_STREAM }
    case 'wire':
      return fault.transform(plan, options, facts(context))
    default:
      return fault satisfies never
  }
}

export const notApplicable = ({ configured, from }: SelectedFault, explanation: string): ApiError =>
  apiError('impossible-fault', { fault: `'${configured.fault.name}' (${from})`, explanation })

/** `server-error (faults[0])`: the fault and where it came from. */
export function reasonOf({ configured, from }: SelectedFault): Reason {
  return { by: 'fault', name: `${configured.fault.name} (${from})` }
}

function facts(context: CallContext): CallFacts {
  const { endpoint, model, maskedKey, scenario, ids } = context
  return {
    endpoint,
    model,
    maskedKey,
    organization: scenario.organization,
    requestId: ids.requestId,
    realMs: (ms) => context.realMs(ms),
  }
}
