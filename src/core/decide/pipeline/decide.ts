/**
 * The flow of a call: the stages in their order, around the endpoint. The first stage that refuses decides the answer.
 *
 *   admit    route -> session -> key -> fault -> body -> model -> budget
 *   answer   limits -> checks -> rule -> queue -> endpoint -> latency -> fault
 *
 * The context knows if route, session and key are accepted; `refuseUnread` answers a call for which one of them is not.
 * Between `admit` and `answer`, a call with shared limits waits for their store; `decide` does both at once. A CORS preflight
 * (OPTIONS) passes no stage. For a call with a recorded answer, the body and the model are not checked, and `replay` takes the
 * place of the stages from checks to latency. Deciding reads the state and changes nothing: what the call changes is returned
 * as effects. Nothing here awaits, reads a clock or draws an unseeded number.
 */

import { apiError } from '../../protocol/errors/error-catalogue.ts'
import { type AnswerMutator, NO_MUTATION } from '../../protocol/faults/answer-mutator.ts'
import { type Plan, waitsOf } from '../../protocol/plan/plan.ts'
import { withHeaders } from '../../protocol/plan/transform.ts'
import type { Endpoint } from '../../protocol/request/endpoints.ts'
import { routeOf } from '../../protocol/request/request-path.ts'
import type { ReplyRule, Scenario } from '../../scenario/compile/compile.ts'
import type { Answer, Usage } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { type CallContext, identify } from '../call/call-context.ts'
import { headerText, prependNotes, refuse, refuseForMock, withLimitHeaders } from '../call/respond.ts'
import { ruleIdsUsed } from '../call/rule-usage.ts'
import { registry } from '../endpoints/registry.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { LimitAnswer, LimitRequest } from '../state/limit-request.ts'
import type { Reservation } from '../state/session.ts'
import { chargeBudget, checkBudget } from './call-budget.ts'
import { answerFailure, changeAnswer, mutatorOf, type SelectedFault, selectFault } from './call-faults.ts'
import { checkLimits, demandOf } from './call-limits.ts'
import { addLatency } from './latency.ts'
import { replay } from './replay.ts'
import { checkBody, checkMatch, refuseUnread } from './request-checks.ts'

/** The result of the stages before the limits. */
export interface Admission {
  /** The answer to a call that a stage has refused or a fault has answered; undefined for a call that goes on. */
  readonly draft?: Answer
  /** The fault that changes the answer of a call that goes on. */
  readonly fault?: SelectedFault | undefined
  /** The rule with the recorded answers to the call; undefined without any. */
  readonly recorded?: ReplyRule | undefined
  /** The demand on the limits; undefined for a call that they do not count. */
  readonly demand?: LimitRequest | undefined
  /** Changes that the call makes whatever its answer is. */
  readonly effects: Effect[]
}

/** The plan of a call, and everything that it changes, as data. */
export interface Decision {
  readonly plan: Plan
  /** Changes of the state, to be applied once the call is known to be played. */
  readonly effects: readonly Effect[]
  /** The tokens that the whole answer uses; undefined for one that uses none. */
  readonly usage: Usage | undefined
  /** Tokens and places that the limits count until the call ends; undefined for a call that they do not count. */
  readonly reservation: Reservation | undefined
}

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
  const { session, request, route, nextPosition, sessionError, scenario, rules } = context
  const { keyRule, limits } = rules
  const effects: Effect[] = []
  // A call whose session is refused belongs to no session, so it is no attempt.
  if (sessionError === undefined)
    effects.push({ type: 'count-attempt', sessionId: session.id, fingerprint: request.fingerprint })
  if (nextPosition !== undefined)
    effects.push({ type: 'set-position', position: nextPosition, sessionName: session.name })

  // The stages for route, session and key.
  if (!context.isAccepted) return { draft: refuseUnread(context), effects }
  const { selected: fault, error } = selectFault(context, effects)
  if (error !== undefined) return { draft: refuseForMock(context, error), effects }
  const failure = fault && answerFailure(context, fault)
  if (failure !== undefined) return { draft: { plan: failure }, effects }

  const rule = scenario.isCassette && route.readsBody ? rules.search.found?.rule : undefined
  const recorded = rule?.answers === undefined ? undefined : rule
  // The service that gave the recorded answers has checked the request.
  const bodyError = recorded === undefined ? checkBody(context) : undefined
  let refusal: Answer | undefined
  if (bodyError !== undefined) refusal = refuse(context, 'request', bodyError)
  else if (keyRule?.budget !== undefined) refusal = checkBudget(context)
  if (refusal === undefined) return { fault, recorded, demand: limits && demandOf(context, limits), effects }
  // A fault, such as a cut, changes a refusal too.
  const noted = prependNotes(refusal, rules.search.notes)
  return {
    draft: fault === undefined ? noted : changeAnswer(noted, fault, mutatorOf(fault, context), context),
    effects,
  }
}

/**
 * Runs the stages from the limits on.
 * @param effects the effects of the admission that are not applied yet; those of the answer are added to them.
 * @param verdict the answer of the store of shared limits; undefined if it was not asked.
 */
export function answer(context: CallContext, admission: Admission, effects: Effect[], verdict?: LimitAnswer): Decision {
  const draft = admission.draft ?? answerAdmitted(context, admission, verdict)
  const { usage, sequence, reserved, endsAt, cacheEntries } = draft
  const { session, call, scenario, rules } = context
  const sessionId = session.id
  const plan = call.headers['x-mock-explain'] === undefined ? draft.plan : withReasonHeaders(draft.plan, context)
  if (sequence !== undefined) effects.push({ type: 'count', sessionId, counter: sequence })
  if (endsAt !== undefined)
    effects.push({ type: 'serve', sessionName: session.name, paceId: rules.pace!.paceId, endsAt, now: call.now })
  if (draft.effects !== undefined) effects.push(...draft.effects)
  if (rules.keyRule?.budget !== undefined) effects.push(...chargeBudget(context, plan, usage))
  if (cacheEntries !== undefined) effects.push({ type: 'cache-prompt', sessionId, entries: cacheEntries })
  const isEndless = plan.events.at(-1)?.type === 'stall'
  const reservation = reserved && {
    sessionId,
    limits: rules.limits!,
    ...reserved,
    chargesAnswer: scenario.chargesAnswers,
    endsAt: isEndless ? Number.POSITIVE_INFINITY : call.now + waitsOf(plan),
  }
  if (reservation !== undefined) effects.push({ type: 'reserve', reservation, now: call.now })
  const { by } = plan.reason
  // Other calls use no rule, so they need not look for one.
  if (scenario.replies.length > 0 || by === 'fault' || by === 'limit')
    for (const ruleId of ruleIdsUsed(context, plan)) effects.push({ type: 'count-use', ruleId })
  return { plan, effects, usage, reservation }
}

/** The answer within the limits, as the fault of the call changes it. */
function answerAdmitted(context: CallContext, admission: Admission, verdict?: LimitAnswer): Answer {
  const { fault, recorded, demand } = admission
  const mutator = fault === undefined ? NO_MUTATION : mutatorOf(fault, context)
  const { refusal, reserved, notes = [] } = (demand && checkLimits(context, demand, verdict)) ?? {}
  let draft: Answer = refusal ?? (recorded === undefined ? askEndpoint(context, mutator) : replay(context, recorded))
  if (reserved !== undefined) draft = { ...draft, plan: withLimitHeaders(draft.plan, context, reserved), reserved }
  const noted = prependNotes(draft, [...context.rules.search.notes, ...notes])
  return fault === undefined ? noted : changeAnswer(noted, fault, mutator, context)
}

/** The answer of the endpoint, at its pace, to a request that passes its checks. */
function askEndpoint(context: CallContext, mutator: AnswerMutator): Answer {
  const { route, scenario } = context
  // A path without an endpoint is answered by `refuseUnread`.
  const endpoint = registry[route.endpoint as Endpoint]
  const notes = endpoint.notes?.(context)
  const error = endpoint.check(context) ?? (scenario.refusesUnmatched ? checkMatch(context) : undefined)
  if (error !== undefined) return prependNotes(refuse(context, 'request', error), notes)
  const pace = route.readsBody ? context.rules.pace : undefined
  if (pace?.queue !== undefined) {
    // A call that finds all places taken, including those to wait in, is refused.
    const { concurrent, waiting } = pace.queue
    const served = context.mockState.endsAfter(pace.paceId, context.call.now, context.session.name)
    const { requestId } = context.draws.ids
    if (served.length >= concurrent + waiting)
      return prependNotes(refuse(context, 'queue', apiError('overloaded', { requestId })), notes)
  }
  const draft = endpoint.answer(context, mutator)
  return prependNotes(pace === undefined ? draft : addLatency(draft, context, pace), notes)
}

/** The plan with its reason in the head, for a call with the header `x-mock-explain`. */
function withReasonHeaders(plan: Plan, context: CallContext): Plan {
  const { name } = context.scenario
  const why: Record<string, string> = {
    // `custom` for every other than a built-in one, so that a scenario gives the same bytes from a file, from code and over
    // the control plane. Only built-in names are plain words: paths have a dot or a slash, and the other two a space.
    'x-mock-scenario': /^[a-z-]+$/.test(name) ? name : 'custom',
    ...(context.state !== undefined && { 'x-mock-state': headerText(context.state.name) }),
    'x-mock-reason': headerText(`${plan.reason.by}: ${plan.reason.name}`),
    'x-mock-attempt': String(context.attempt),
    ...(plan.notes.length > 0 && { 'x-mock-note': headerText(plan.notes.join('; ')) }),
  }
  return withHeaders(plan, why)
}
