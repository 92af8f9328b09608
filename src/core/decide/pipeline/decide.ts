/**
 * The flow of a call: the stages in their order, around the endpoint. The first stage that refuses decides the answer.
 *
 *   admit    route -> session -> key -> fault -> body -> model -> budget
 *   answer   limits -> checks -> rule -> queue -> endpoint -> latency -> fault
 *
 * Between the two, a call with shared limits waits for their store; `decide` does both at once. A CORS preflight (OPTIONS)
 * passes no stage, and a recorded answer is checked for its budget and limits only. Deciding reads the state and changes
 * nothing: what the call changes is returned as effects. Nothing here awaits, reads a clock or draws an unseeded number.
 */

import { type AnswerMutator, NO_MUTATION } from '../../protocol/faults/answer-mutator.ts'
import { routeOf } from '../../protocol/request/endpoint-route.ts'
import type { Scenario } from '../../scenario/compile/compile.ts'
import type { Call, CallContext } from '../call/call-context.ts'
import { answerPreflight, type ReservedTokens, withReasonHeaders, withReserved } from '../call/respond.ts'
import { ruleIdsUsed } from '../call/rule-usage.ts'
import { endpointNamed } from '../endpoints/registry.ts'
import type { Effect } from '../state/apply-effects.ts'
import { identify, type LimitAnswer } from '../state/session.ts'
import { answerFailure, changeAnswer, mutatorOf, selectFault } from './call-faults.ts'
import { chargesOf, checkBudget, checkLimits, demandOf, UNLIMITED } from './call-limits.ts'
import {
  type Admission,
  type AnswerDraft,
  addNotes,
  type Decision,
  refuse,
  refuseForMock,
  releaseTime,
} from './decision.ts'
import { addLatency, checkQueue } from './latency.ts'
import { findRecorded, replay } from './replay.ts'
import { checkBody, checkKey, checkMatch, checkModel, checkRoute } from './request-checks.ts'

/** Decides a call. With the header `x-mock-explain`, the answer says why in `x-mock-*` headers. */
export function decide(context: CallContext): Decision {
  const admission = admit(context)
  return answer(context, admission, admission.effects)
}

/**
 * True if `admit` may read what the answers to earlier calls of the key have changed: its budget, stored responses. All
 * else that it reads, `admit` itself has changed.
 */
export const needsAnswersBefore = (call: Call, scenario: Scenario): boolean =>
  routeOf(call.method, call.path).readsItems === true || scenario.keyRule(identify(call).key)?.budget !== undefined

/** Runs the stages up to the limits. */
export function admit(context: CallContext): Admission {
  const { session, fingerprint, nextPosition, sessionError, route } = context
  const effects: Effect[] = []
  const none = { fault: undefined, recorded: undefined, demand: undefined }
  const refused = (draft: AnswerDraft): Admission => ({ draft, ...none, effects })
  // A call whose session is refused belongs to no session, so it is no attempt.
  if (sessionError === undefined) effects.push({ type: 'count-attempt', sessionId: session.id, fingerprint })
  if (nextPosition !== undefined)
    effects.push({ type: 'set-position', position: nextPosition, sessionName: session.name })

  if (context.call.method === 'OPTIONS') return refused({ plan: answerPreflight(context) })
  const routeError = checkRoute(context)
  if (routeError !== undefined)
    return refused(addNotes(refuse(context, 'route', routeError), route.advice === undefined ? [] : [route.advice]))
  if (sessionError !== undefined) return refused(refuseForMock(context, sessionError))
  const keyError = checkKey(context)
  if (keyError !== undefined) return refused(refuse(context, 'key', keyError))
  const { fault, error } = selectFault(context, effects)
  if (error !== undefined) return refused(refuseForMock(context, error))
  const failure = fault && answerFailure(context, fault)
  if (failure !== undefined) return refused({ plan: failure })
  const recorded = findRecorded(context)
  const bodyError = recorded === undefined ? (checkBody(context) ?? checkModel(context)) : undefined
  const draft = bodyError === undefined ? checkBudget(context) : refuse(context, 'request', bodyError)
  if (draft === undefined) return { draft, fault, recorded, demand: demandOf(context), effects }
  const explained = addNotes(draft, context.ruleSearch.notes)
  return refused(fault === undefined ? explained : changeAnswer(explained, fault, mutatorOf(fault, context), context))
}

/**
 * Runs the stages from the limits on.
 * @param effects the effects of the admission that are not applied yet; those of the answer are added to them.
 * @param verdict the answer of the store of shared limits; undefined if it was not asked.
 */
export function answer(context: CallContext, admission: Admission, effects: Effect[], verdict?: LimitAnswer): Decision {
  const draft = admission.draft ?? answerAdmitted(context, admission, verdict)
  const { usage, sequence, reserved, endsAt, cacheEntries } = draft
  const { session, call, limits, scenario } = context
  const sessionId = session.id
  const plan = call.headers['x-mock-explain'] === undefined ? draft.plan : withReasonHeaders(draft.plan, context)
  if (sequence !== undefined) effects.push({ type: 'count', sessionId, counter: sequence })
  if (endsAt !== undefined)
    effects.push({ type: 'serve', sessionName: session.name, paceId: context.pace!.paceId, endsAt, now: call.now })
  if (draft.effects !== undefined) effects.push(...draft.effects)
  effects.push(...chargesOf(context, plan, usage))
  if (cacheEntries !== undefined) effects.push({ type: 'cache-prompt', sessionId, entries: cacheEntries })
  const reservation = reserved && {
    limits: limits!,
    ...reserved,
    chargesAnswer: scenario.chargesAnswers,
    endsAt: releaseTime(plan, call.now),
  }
  if (reservation !== undefined) effects.push({ type: 'reserve', sessionId, reservation, now: call.now })
  for (const ruleId of ruleIdsUsed(context, plan)) effects.push({ type: 'count-use', ruleId })
  return { plan, effects, usage, reservation }
}

/** The answer within the limits, as the fault of the call changes it. */
function answerAdmitted(context: CallContext, admission: Admission, verdict?: LimitAnswer): AnswerDraft {
  const { fault, recorded, demand } = admission
  const mutator = fault === undefined ? NO_MUTATION : mutatorOf(fault, context)
  const { refusal, reserved, notes = [] } = demand === undefined ? UNLIMITED : checkLimits(context, demand, verdict)
  const asked = refusal ?? (recorded === undefined ? askEndpoint(context, mutator) : replay(context, recorded))
  const draft = reserved === undefined ? asked : countReserved(context, asked, reserved, recorded !== undefined)
  const explained = addNotes(draft, [...context.ruleSearch.notes, ...notes])
  return fault === undefined ? explained : changeAnswer(explained, fault, mutator, context)
}

/** The answer with headers that count it against the limits. */
function countReserved(
  context: CallContext,
  draft: AnswerDraft,
  reserved: ReservedTokens,
  isRecorded: boolean,
): AnswerDraft {
  const plan = withReserved(draft.plan, context, reserved)
  // A recorded answer may not say what it used.
  const usage = draft.usage ?? (isRecorded ? { prompt: reserved.tokens, completion: 0, unstreamed: 0 } : undefined)
  return { ...draft, plan, usage, reserved }
}

function askEndpoint(context: CallContext, mutator: AnswerMutator): AnswerDraft {
  const endpoint = endpointNamed(context.endpoint)
  const requestError = endpoint.check(context) ?? checkMatch(context)
  const queueError = requestError === undefined ? checkQueue(context) : undefined
  const draft =
    requestError !== undefined
      ? refuse(context, 'request', requestError)
      : queueError !== undefined
        ? refuse(context, 'queue', queueError)
        : addLatency(endpoint.answer(context, mutator), context)
  return addNotes(draft, endpoint.notes?.(context))
}
