/**
 * The flow of a call on one screen: stages, outermost first, around the endpoint.
 *
 *   route -> session -> key -> fault -> [recorded answer] -> body -> model -> budget -> limits -> checks -> rule -> queue -> endpoint -> latency -> fault
 *
 * The first stage that refuses decides the answer. A CORS preflight (OPTIONS) passes no stage. A recorded answer is checked
 * for its budget and limits only. Deciding reads the state and changes nothing: what the call changes is returned as
 * effects. Nothing here awaits, reads a clock or draws an unseeded number.
 */

import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { truncate } from '../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../protocol/faults/answer-mutator.ts'
import { type Plan, type Reason, withNotes } from '../../protocol/plan/plan.ts'
import type { Answer } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { type ReservedTokens, withReserved } from '../call/rate-limit-headers.ts'
import { answerError, answerPage, answerPreflight, withReasonHeaders } from '../call/respond.ts'
import { ruleIdsUsed } from '../call/rule-usage.ts'
import { endpointNamed } from '../endpoints/registry.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { Reservation } from '../state/session.ts'
import { applyFault, failureOf, mutatorOf, reasonOf, type SelectedFault, withFaultOptions } from './apply-fault.ts'
import { authenticate } from './authentication.ts'
import { checkBody, checkModel } from './body.ts'
import { chargesOf, checkBudget } from './budget.ts'
import type { Decision } from './decision.ts'
import { addLatency, checkQueue } from './latency.ts'
import { checkLimits } from './rate-limit.ts'
import { replay } from './replay.ts'
import { checkRoute } from './route.ts'
import { selectFault } from './select-fault.ts'
import { releaseTime } from './settle-usage.ts'
import { checkMatch } from './unmatched.ts'

const MAX_NOTE_LENGTH = 500

/** An answer, and what else was decided. */
interface DecidedAnswer extends Answer {
  /** The tokens that the limits reserve; undefined for a call that they do not count. */
  readonly reserved?: ReservedTokens | undefined
  /** When the answer ends, for a pace that serves calls together. */
  readonly endsAt?: number | undefined
  /** What the selection of a fault changes in the state. */
  readonly faultEffects?: readonly Effect[]
}

/** Decides a call. With the header `x-mock-explain`, the answer says why in `x-mock-*` headers. */
export function decide(context: CallContext): Decision {
  const { session, fingerprint, nextPosition, call } = context
  const { id: sessionId, name: sessionName } = session
  const answer = decideAnswer(context)
  const { usage, sequence, reserved, endsAt, cacheEntries, faultEffects = [], effects: ownEffects = [] } = answer
  const plan = call.header('x-mock-explain') === undefined ? answer.plan : withReasonHeaders(answer.plan, context)

  const effects: Effect[] = []
  // A call whose session is refused belongs to no session, so it is no attempt.
  if (context.sessionError === undefined) effects.push({ type: 'count-attempt', sessionId, fingerprint })
  if (nextPosition !== undefined) effects.push({ type: 'set-position', position: nextPosition, sessionName })
  effects.push(...faultEffects)
  if (sequence !== undefined) effects.push({ type: 'count', sessionId, counter: sequence })
  if (endsAt !== undefined)
    effects.push({ type: 'serve', sessionName, paceId: context.pace!.paceId, endsAt, now: call.now })
  effects.push(...ownEffects)
  effects.push(...chargesOf(context, plan, usage))
  if (cacheEntries !== undefined) effects.push({ type: 'cache-prompt', sessionId, entries: cacheEntries })
  let reservation: Reservation | undefined
  if (reserved !== undefined) {
    const { tokens, sharedId } = reserved
    reservation = { limits: context.limits!, tokens, endsAt: releaseTime(plan, call.now), sharedId }
    effects.push({ type: 'reserve', sessionId, reservation, now: call.now })
  }
  for (const ruleId of ruleIdsUsed(context, plan)) effects.push({ type: 'count-use', ruleId })
  return { plan, effects, usage, reservation }
}

/** Runs the stages up to the fault, then those of the request unless the fault replaces the answer. */
function decideAnswer(context: CallContext): DecidedAnswer {
  if (context.call.method === 'OPTIONS') return { plan: answerPreflight(context) }
  const unrouted = refuseIf(context, 'route', checkRoute(context))
  if (unrouted !== undefined)
    return addNotes(unrouted, context.route.advice === undefined ? [] : [context.route.advice])
  if (context.sessionError !== undefined) return refuseForMock(context, context.sessionError)
  const refused = refuseIf(context, 'key', authenticate(context))
  if (refused !== undefined) return refused
  const { fault, error, effects } = selectFault(context)
  const answer = error === undefined ? answerWithFault(context, fault) : refuseForMock(context, error)
  return effects.length === 0 ? answer : { ...answer, faultEffects: effects }
}

/** The answer to a call, as its fault replaces or changes it. */
function answerWithFault(context: CallContext, fault: SelectedFault | undefined): DecidedAnswer {
  const failure = fault && answerFailure(context, fault)
  if (failure !== undefined) return { plan: failure }
  const mutator = mutatorOf(fault, context)
  const answer = answerRequest(context, mutator)
  const explained = addNotes(answer, context.ruleSearch.notes)
  return fault === undefined ? explained : changeAnswer(explained, fault, mutator, context)
}

/** The answer to a call that no fault replaced. */
function answerRequest(context: CallContext, mutator: AnswerMutator): DecidedAnswer {
  const recorded = answerFromCassette(context)
  if (recorded !== undefined) return recorded
  const refused = refuseIf(context, 'request', checkBody(context)) ?? refuseIf(context, 'request', checkModel(context))
  if (refused !== undefined) return refused
  return withinLimits(context, () => {
    const endpoint = endpointNamed(context.endpoint)
    const answer =
      refuseIf(context, 'request', endpoint.check(context)) ??
      refuseIf(context, 'request', checkMatch(context)) ??
      refuseIf(context, 'queue', checkQueue(context)) ??
      addLatency(endpoint.answer(context, mutator), context)
    return addNotes(answer, endpoint.notes?.(context) ?? [])
  })
}

/** The answer to a call that its budget and its limits admit. They count it, and their headers show that. */
function withinLimits(context: CallContext, answer: () => DecidedAnswer): DecidedAnswer {
  const overdrawn = checkBudget(context)
  if (overdrawn !== undefined) return { plan: overdrawn }
  const { refusal, unavailable, reserved, notes = [] } = checkLimits(context)
  if (refusal !== undefined) return refuse(context, 'limit', refusal)
  if (unavailable !== undefined) return refuse(context, 'request', unavailable)
  const admitted = addNotes(answer(), notes)
  return reserved === undefined
    ? admitted
    : { ...admitted, plan: withReserved(admitted.plan, context, reserved), reserved }
}

/** An answer with notes before its own. Most calls have none, and a copy of each answer would cost every call. */
const addNotes = (answer: DecidedAnswer, notes: readonly string[]): DecidedAnswer =>
  notes.length === 0 ? answer : { ...answer, plan: { ...answer.plan, notes: [...notes, ...answer.plan.notes] } }

/**
 * What a scenario with recorded answers has for this call: an answer, or 404 if no rule matches. A recorded answer needs
 * no check of the request, because the service that gave it has made them.
 */
function answerFromCassette(context: CallContext): DecidedAnswer | undefined {
  if (!context.scenario.isCassette || !context.route.readsBody) return undefined
  const rule = context.matchedRule?.rule
  if (rule === undefined) {
    return refuse(context, 'request', checkBody(context) ?? notRecorded(context))
  }
  if (rule.answers === undefined) return undefined
  const { ruleId, answers } = rule
  const answer = withinLimits(context, () => replay(context, ruleId, answers))
  const { reserved, usage } = answer
  if (reserved === undefined || usage !== undefined) return answer
  return { ...answer, usage: { prompt: reserved.tokens, completion: 0, unstreamed: 0 } }
}

const notRecorded = ({ endpoint, model, nearMiss }: CallContext): ApiError =>
  apiError('not-recorded', { endpoint, model, nearest: nearMiss?.text })

function refuse(context: CallContext, by: Reason['by'], error: ApiError): DecidedAnswer {
  return { plan: answerError(context, error, { by, name: error.name }) }
}

/** Refuses a call with a session or a fault that the mock cannot use. The note says why in the log, which shows no bodies. */
function refuseForMock(context: CallContext, error: ApiError): DecidedAnswer {
  const note = truncate(maskKeysIn(error.body.message, context.key), MAX_NOTE_LENGTH)
  return addNotes(refuse(context, 'request', error), [note])
}

/** Refuses a call if a stage found an error. */
const refuseIf = (context: CallContext, by: Reason['by'], error: ApiError | undefined): DecidedAnswer | undefined =>
  error && refuse(context, by, error)

/** The answer of a fault that replaces the answer; undefined for other faults. */
function answerFailure(context: CallContext, fault: SelectedFault): Plan | undefined {
  const failure = failureOf(fault, context)
  if (failure === undefined) return undefined
  const reason = reasonOf(fault)
  const answered = 'page' in failure ? answerPage(failure, reason) : answerError(context, failure, reason)
  const plan = withFaultOptions(answered, fault)
  return fault.source === 'reply-rule' ? withNotes(plan, context.ruleSearch.notes) : plan
}

/** Applies a fault that changes the answer. */
function changeAnswer(
  answer: DecidedAnswer,
  fault: SelectedFault,
  mutator: AnswerMutator,
  context: CallContext,
): DecidedAnswer {
  const changed = applyFault(answer.plan, fault, mutator, context)
  if ('events' in changed) return { ...answer, plan: changed }
  // The fault can't apply: its error replaces the answer, which then uses no tokens and no cache.
  const { plan } = refuseForMock(context, changed)
  const { reserved } = answer
  return {
    ...answer,
    plan: reserved ? withReserved(plan, context, reserved) : plan,
    usage: undefined,
    cacheEntries: undefined,
    effects: [],
  }
}
