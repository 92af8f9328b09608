/**
 * The flow of a call on one screen: stages, outermost first, around the endpoint.
 *
 *   route -> key -> fault -> [recorded answer] -> body -> model -> limits -> checks -> rule -> queue -> endpoint -> latency -> fault
 *
 * The first stage that refuses decides the answer. Deciding reads the state and changes nothing: what the call changes
 * is returned as effects. Nothing here awaits, reads a clock or draws an unseeded number.
 */

import type { Answer } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { withReserved } from '../call/rate-limit-headers.ts'
import { answerError, answerPage, answerPreflight, withReasonHeaders } from '../call/respond.ts'
import { endpointNamed } from '../endpoints/registry.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import type { AnswerMutator } from '../faults/answer-mutator.ts'
import { ruleIdsUsed } from '../journal/rule-usage.ts'
import { type Plan, type Reason, withNotes } from '../plan/plan.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { Reservation } from '../state/session.ts'
import { applyFault, failureOf, mutatorOf, reasonOf, type SelectedFault } from './apply-fault.ts'
import { authenticate } from './authentication.ts'
import { checkBody, checkModel } from './body.ts'
import type { Decision } from './decision.ts'
import { addLatency, checkQueue } from './latency.ts'
import { checkLimits } from './rate-limit.ts'
import { replay } from './replay.ts'
import { checkRoute } from './route.ts'
import { selectFault } from './select-fault.ts'
import { releaseTime } from './settle-usage.ts'
import { checkMatch } from './unmatched.ts'

/** An answer, and what else was decided. */
interface DecidedAnswer extends Answer {
  /** The tokens that the limits reserve; undefined for a call that they do not count. */
  readonly reserved?: { readonly tokens: number } | undefined
  /** When the answer ends, for a pace that serves calls together. */
  readonly endsAt?: number | undefined
}

/** Decides a call. With the header `x-mock-explain`, the answer says why in `x-mock-*` headers. */
export function decide(context: CallContext): Decision {
  const { key, fingerprint, nextPosition, call } = context
  const effects: Effect[] = [{ type: 'count-attempt', key, fingerprint }]
  if (nextPosition !== undefined) effects.push({ type: 'set-position', position: nextPosition })
  const answer = decideAnswer(context, effects)
  const { usage, sequence, reserved, endsAt } = answer
  const plan = call.header('x-mock-explain') === undefined ? answer.plan : withReasonHeaders(answer.plan, context)

  if (sequence !== undefined) effects.push({ type: 'count', key, counter: sequence })
  if (endsAt !== undefined) effects.push({ type: 'serve', paceId: context.pace!.paceId, endsAt, now: call.now })
  let reservation: Reservation | undefined
  if (reserved !== undefined) {
    reservation = { limits: context.limits!, tokens: reserved.tokens, endsAt: releaseTime(plan, call.now) }
    effects.push({ type: 'reserve', key, reservation, now: call.now })
  }
  for (const ruleId of ruleIdsUsed(context, plan)) effects.push({ type: 'count-use', ruleId })
  return { plan, effects, usage, reservation }
}

/** Adds the effects of the selection of a fault to `effects`. */
function decideAnswer(context: CallContext, effects: Effect[]): DecidedAnswer {
  if (context.call.method === 'OPTIONS') return { plan: answerPreflight(context) }
  const refuse = refuserOf(context)
  const refused = refuse('route', checkRoute(context)) ?? refuse('key', authenticate(context))
  if (refused !== undefined) return refused

  const { fault, error } = selectFault(context, effects)
  if (error !== undefined) return refuse('request', error)!
  const failure = fault && failureOf(fault, context)
  if (failure !== undefined) return { plan: answerFailure(context, failure, fault!) }

  const mutator = mutatorOf(fault, context)
  const answer = answerRequest(context, mutator)
  const { notes } = context.ruleSearch
  const explained = notes.length === 0 ? answer : { ...answer, plan: noted(answer.plan, notes) }
  return fault === undefined ? explained : transform(explained, fault, mutator, context)
}

/** The answer to a call that no answer fault refused. */
function answerRequest(context: CallContext, mutator: AnswerMutator): DecidedAnswer {
  const refuse = refuserOf(context)
  const recorded = answerFromCassette(context)
  if (recorded !== undefined) return recorded
  const refused = refuse('request', checkBody(context)) ?? refuse('request', checkModel(context))
  if (refused !== undefined) return refused
  const { refusal, reserved } = checkLimits(context)
  if (refusal !== undefined) return refuse('limit', refusal)!

  const endpoint = endpointNamed(context.endpoint)
  const answer =
    refuse('request', endpoint.check(context)) ??
    refuse('request', checkMatch(context)) ??
    refuse('queue', checkQueue(context)) ??
    addLatency(endpoint.answer(context, mutator), context)
  const plan = noted(answer.plan, endpoint.notes?.(context) ?? [])
  return reserved === undefined
    ? { ...answer, plan }
    : { ...answer, plan: withReserved(plan, context, reserved), reserved }
}

/**
 * What a scenario with recorded answers has for this call: an answer, or 404 if no rule matches. A recorded answer needs
 * no check of the request, because the service that gave it has made them.
 */
function answerFromCassette(context: CallContext): DecidedAnswer | undefined {
  if (!context.scenario.isCassette || !context.route.readsBody) return undefined
  const refuse = refuserOf(context)
  const rule = context.matchedRule?.rule
  if (rule === undefined) {
    const error = apiError('not-recorded', { endpoint: context.endpoint, model: context.model })
    return refuse('request', checkBody(context)) ?? refuse('request', error)
  }
  if (rule.answers === undefined) return undefined
  const { refusal, reserved } = checkLimits(context)
  if (refusal !== undefined) return refuse('limit', refusal)
  const answer = replay(context, rule.ruleId, rule.answers)
  return reserved === undefined
    ? answer
    : {
        ...answer,
        plan: withReserved(answer.plan, context, reserved),
        usage: answer.usage ?? { prompt: reserved.tokens, completion: 0, silent: 0 },
        reserved,
      }
}

type Refuser = (by: Reason['by'], error: ApiError | undefined) => DecidedAnswer | undefined

function refuserOf(context: CallContext): Refuser {
  return (by, error) => error && { plan: answerError(context, error, { by, name: error.name }) }
}

function answerFailure(
  context: CallContext,
  failure: NonNullable<ReturnType<typeof failureOf>>,
  fault: SelectedFault,
): Plan {
  const reason = reasonOf(fault)
  const plan = 'page' in failure ? answerPage(failure, reason) : answerError(context, failure, reason)
  return fault.from.startsWith('replies[') ? withNotes(plan, context.ruleSearch.notes) : plan
}

/** The plan with notes before its own. */
const noted = (plan: Plan, notes: readonly string[]): Plan =>
  notes.length === 0 ? plan : { ...plan, notes: [...notes, ...plan.notes] }

function transform(
  answer: DecidedAnswer,
  fault: SelectedFault,
  mutator: AnswerMutator,
  context: CallContext,
): DecidedAnswer {
  const plan = applyFault(answer.plan, fault, mutator, context)
  if ('events' in plan) return { ...answer, plan }
  // The error replaces the answer, so the answer costs nothing.
  const error = answerError(context, plan, { by: 'request', name: plan.name })
  const { reserved } = answer
  return { ...answer, plan: reserved ? withReserved(error, context, reserved) : error, usage: undefined }
}
