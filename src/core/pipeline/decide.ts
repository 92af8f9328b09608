/**
 * The whole flow on one screen: conditions, outermost first, around the endpoint.
 *
 *   route -> key -> fault -> [recorded] -> body -> model -> limits -> checks -> match -> queue -> endpoint -> pace -> fault that bends
 *
 * The first condition that refuses decides the answer. Nothing here awaits, reads a clock or draws an unseeded number;
 * the only state that moves is the memory of the turn: counted faults, sequences, limits and calls in flight.
 */

import type { CallContext } from '../call/call-context.ts'
import { answerError, answerPage, answerPreflight, explain } from '../call/respond.ts'
import { endpointNamed } from '../endpoints/registry.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import type { AnswerMutator } from '../faults/answer-mutator.ts'
import type { Plan, Reason } from '../plan/plan.ts'
import { applyFault, failureOf, mutatorOf, reasonOf, type SelectedFault } from './apply-fault.ts'
import { authenticate } from './authentication.ts'
import { checkBody, checkModel } from './body.ts'
import { addLatency, checkQueue } from './latency.ts'
import { checkLimits } from './rate-limit.ts'
import { replay } from './replay.ts'
import { checkRoute } from './route.ts'
import { selectFault } from './select-fault.ts'
import { scheduleRelease } from './settle-usage.ts'
import { checkMatch } from './unmatched.ts'

/** The plan of a turn; a call with the header `x-mock-explain` is told in `x-mock-*` headers why. */
export function decide(context: CallContext): Plan {
  const plan = planOf(context)
  return context.call.header('x-mock-explain') === undefined ? plan : explain(plan, context)
}

function planOf(context: CallContext): Plan {
  if (context.call.method === 'OPTIONS') return answerPreflight(context)
  const refuse = refuserOf(context)
  const atTheDoor = refuse('route', checkRoute(context)) ?? refuse('key', authenticate(context))
  if (atTheDoor !== undefined) return atTheDoor

  const found = selectFault(context)
  if (found !== undefined && 'error' in found)
    return answerError(context, found.error, { by: 'request', name: found.error.name })
  const failure = found && failureOf(found, context)
  if (failure !== undefined) {
    const reason = reasonOf(found!)
    return 'page' in failure ? answerPage(context, failure, reason) : answerError(context, failure, reason)
  }

  const twist = found && mutatorOf(found, context)
  const { check, answer } = endpointNamed(context.endpoint)
  const plan =
    recorded(context) ??
    refuse('request', checkBody(context)) ??
    refuse('request', checkModel(context)) ??
    refuse('limit', checkLimits(context)) ??
    refuse('request', check(context)) ??
    refuse('request', checkMatch(context)) ??
    refuse('queue', checkQueue(context)) ??
    addLatency(answer(context, twist), context)
  const played = found === undefined ? plan : bend(plan, found, twist, context)
  if (context.reservation !== undefined) scheduleRelease(context, played)
  return played
}

type Refuser = (by: Reason['by'], error: ApiError | undefined) => Plan | undefined

function refuserOf(context: CallContext): Refuser {
  return (by, error) => error && answerError(context, error, { by, name: error.name })
}

/**
 * What a scenario with recorded answers has for this call: an answer, or 404 where no rule speaks. An answer stands in
 * for all checks of the request, because the service that gave it has made them.
 */
function recorded(context: CallContext): Plan | undefined {
  if (!context.scenario.isCassette || !context.route.readsBody) return undefined
  const refuse = refuserOf(context)
  const rule = context.matchedRule?.rule
  if (rule === undefined) {
    const error = apiError('not-recorded', { endpoint: context.endpoint, model: context.model })
    return refuse('request', checkBody(context)) ?? refuse('request', error)
  }
  return rule.answers && (refuse('limit', checkLimits(context)) ?? replay(context, rule.ruleId, rule.answers))
}

function bend(plan: Plan, struck: SelectedFault, twist: AnswerMutator | undefined, context: CallContext): Plan {
  const bent = applyFault(plan, struck, twist, context)
  if ('events' in bent) return bent
  // What was answered and is taken back costs nothing.
  context.usage = undefined
  return answerError(context, bent, { by: 'request', name: bent.name })
}
