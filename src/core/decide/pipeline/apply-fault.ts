/** Applies the selected fault: it answers, transforms the answer, or can't happen to it. */

import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { AnswerMutator, NO_MUTATION } from '../../protocol/faults/answer-mutator.ts'
import type { FaultedCall } from '../../protocol/faults/fault.ts'
import { writeOptions } from '../../protocol/faults/read-fault.ts'
import { type Plan, type Reason, statusOf, withNotes } from '../../protocol/plan/plan.ts'
import type { NotApplicable } from '../../protocol/plan/transform.ts'
import type { CallContext } from '../call/call-context.ts'
import { withReserved } from '../call/rate-limit-headers.ts'
import { answerError, answerPage } from '../call/respond.ts'
import { type AnswerDraft, refuseForMock, type SelectedFault } from './decision.ts'

/** The answer of a fault that replaces the answer; undefined for other faults. */
export function answerFailure(context: CallContext, selected: SelectedFault): Plan | undefined {
  const { fault, options } = selected.configured
  if (fault.kind !== 'answer') return undefined
  const failure = fault.answer(facts(context), options)
  const reason = reasonOf(selected)
  const answered = 'page' in failure ? answerPage(failure, reason) : answerError(context, failure, reason)
  const plan = withFaultOptions(answered, selected)
  return selected.source === 'reply-rule' ? withNotes(plan, context.ruleSearch.notes) : plan
}

/** The changes that a fault makes to the answer while the endpoint builds it. */
export function mutatorOf(selected: SelectedFault, context: CallContext): AnswerMutator {
  const { fault, options } = selected.configured
  if (fault.kind === 'stream') return new AnswerMutator(fault)
  if (fault.kind !== 'semantic') return NO_MUTATION
  // Seeded answers depend on the name of this random stream.
  return new AnswerMutator(fault, { fault, options, random: context.contentRandom('twist') })
}

/**
 * The answer as a fault transforms it. A fault asked for by header that can't happen to this answer is an error, which
 * replaces the answer; it then uses no tokens and no cache. A rule is for many calls: it leaves this one as it is, and a
 * note says why. So does a header if the call was refused anyway.
 */
export function changeAnswer(
  draft: AnswerDraft,
  selected: SelectedFault,
  mutator: AnswerMutator,
  context: CallContext,
): AnswerDraft {
  const { plan, reserved } = draft
  const transformed = transform(plan, selected, mutator, context)
  if (transformed === undefined) return draft
  if (!('notApplicable' in transformed))
    return { ...draft, plan: withFaultOptions({ ...transformed, reason: reasonOf(selected) }, selected) }
  const error = notApplicable(selected, transformed.notApplicable)
  if (selected.source !== 'header' || statusOf(plan) >= 400)
    return { ...draft, plan: withNotes(plan, [error.body.message]) }
  const refused = refuseForMock(context, error).plan
  return {
    ...draft,
    plan: reserved === undefined ? refused : withReserved(refused, context, reserved),
    usage: undefined,
    cacheEntries: undefined,
    effects: [],
  }
}

const NO_STREAM: NotApplicable = {
  notApplicable: 'it changes a stream, and this answer is not a stream.',
  needsStream: true,
}

/** Adds how to get a stream: in the request for a header or an injection, in the rule for a rule. */
function withRemedy<Result extends object>(
  result: Result | NotApplicable,
  source: SelectedFault['source'],
): Result | NotApplicable {
  if (!('notApplicable' in result) || result.needsStream !== true) return result
  const isRule = source === 'fault-rule' || source === 'reply-rule'
  const remedy = isRule ? 'Add when: { stream: true } to the rule.' : 'Send "stream": true.'
  return { notApplicable: `${result.notApplicable} ${remedy}` }
}

function transform(
  plan: Plan,
  { configured, source }: SelectedFault,
  mutator: AnswerMutator,
  context: CallContext,
): Plan | NotApplicable | undefined {
  const { fault, options } = configured
  switch (fault.kind) {
    case 'answer':
      return undefined
    case 'semantic':
      return mutator.hasChanged ? plan : { notApplicable: `it needs ${fault.needs}.` }
    case 'stream':
      return plan.isStream ? fault.transform(plan, options, facts(context)) : withRemedy(NO_STREAM, source)
    case 'wire':
      return withRemedy(fault.transform(plan, options, facts(context)), source)
    default:
      return fault satisfies never
  }
}

export const notApplicable = ({ configured, from }: SelectedFault, explanation: string): ApiError =>
  apiError('impossible-fault', { fault: `'${configured.fault.name}' (${from})`, explanation })

/** `server-error (faults[0])`: the fault and where it came from. */
function reasonOf({ configured, from }: SelectedFault): Reason {
  return { by: 'fault', name: `${configured.fault.name} (${from})` }
}

/** The plan with the options of its fault, for the journal. */
function withFaultOptions(plan: Plan, { configured }: SelectedFault): Plan {
  const faultOptions = writeOptions(configured)
  return faultOptions === undefined ? plan : { ...plan, faultOptions }
}

function facts(context: CallContext): FaultedCall {
  const { endpoint, model, maskedKey, scenario, ids } = context
  return {
    endpoint,
    model,
    maskedKey,
    organization: scenario.organization,
    requestId: ids.requestId,
    keepsAlive: context.call.keepsAlive ?? true,
    realMs: (ms) => context.realMs(ms),
  }
}
