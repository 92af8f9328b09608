/**
 * The whole flow on one screen: conditions, outermost first, around the endpoint.
 *
 *   route -> key -> fault -> [recorded] -> body -> model -> limits -> checks -> match -> queue -> endpoint -> pace -> fault that bends
 *
 * The first condition that refuses decides the answer. Nothing here awaits, reads a clock or draws an unseeded number;
 * the only state that moves is the memory of the turn: counted faults, sequences, limits and calls in flight.
 */

import type { Turn } from '../call/call-context.ts'
import { answerError, answerPage, answerPreflight, explain } from '../call/respond.ts'
import { answerChat } from '../endpoints/chat/endpoint.ts'
import { checkChat } from '../endpoints/chat/request.ts'
import { answerEmbeddings } from '../endpoints/embeddings/endpoint.ts'
import { checkEmbeddings } from '../endpoints/embeddings/request.ts'
import { answerModels } from '../endpoints/models/endpoint.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import type { Twist } from '../faults/answer-mutator.ts'
import type { Plan, Reason } from '../plan/plan.ts'
import type { Endpoint } from '../request/route.ts'
import { bendPlan, failureOf, reasonOf, type Struck, twistOf } from './apply-fault.ts'
import { checkKey } from './authentication.ts'
import { checkBody, checkModel } from './body.ts'
import { checkQueue, pacePlan } from './latency.ts'
import { checkLimits } from './rate-limit.ts'
import { replay } from './replay.ts'
import { checkRoute } from './route.ts'
import { findFault } from './select-fault.ts'
import { foreseeEnd } from './settle-usage.ts'
import { checkMatch } from './unmatched.ts'

interface Behaviour {
  readonly check: (turn: Turn) => ApiError | undefined
  readonly answer: (turn: Turn, twist: Twist | undefined) => Plan
}

const endpoints: Record<Endpoint, Behaviour> = {
  chat: { check: checkChat, answer: answerChat },
  embeddings: { check: checkEmbeddings, answer: answerEmbeddings },
  models: { check: () => undefined, answer: answerModels },
}

/** The plan of a turn; a call with the header `x-mock-explain` is told in `x-mock-*` headers why. */
export function decide(turn: Turn): Plan {
  const plan = planOf(turn)
  return turn.call.header('x-mock-explain') === undefined ? plan : explain(plan, turn)
}

function planOf(turn: Turn): Plan {
  if (turn.call.method === 'OPTIONS') return answerPreflight(turn)
  const refuse = refuserOf(turn)
  const atTheDoor = refuse('route', checkRoute(turn)) ?? refuse('key', checkKey(turn))
  if (atTheDoor !== undefined) return atTheDoor

  const found = findFault(turn)
  if (found !== undefined && 'error' in found)
    return answerError(turn, found.error, { by: 'request', name: found.error.name })
  const failure = found && failureOf(found, turn)
  if (failure !== undefined) {
    const reason = reasonOf(found!)
    return 'page' in failure ? answerPage(turn, failure, reason) : answerError(turn, failure, reason)
  }

  const twist = found && twistOf(found, turn)
  const { check, answer } = endpoints[turn.endpoint]
  const plan =
    recorded(turn) ??
    refuse('request', checkBody(turn)) ??
    refuse('request', checkModel(turn)) ??
    refuse('limit', checkLimits(turn)) ??
    refuse('request', check(turn)) ??
    refuse('request', checkMatch(turn)) ??
    refuse('queue', checkQueue(turn)) ??
    pacePlan(answer(turn, twist), turn)
  const played = found === undefined ? plan : bend(plan, found, twist, turn)
  if (turn.charge !== undefined) foreseeEnd(turn, played)
  return played
}

type Refuser = (by: Reason['by'], error: ApiError | undefined) => Plan | undefined

function refuserOf(turn: Turn): Refuser {
  return (by, error) => error && answerError(turn, error, { by, name: error.name })
}

/**
 * What a scenario with recorded answers has for this call: an answer, or 404 where no rule speaks. An answer stands in
 * for all checks of the request, because the service that gave it has made them.
 */
function recorded(turn: Turn): Plan | undefined {
  if (!turn.scenario.isCassette || !turn.route.readsBody) return undefined
  const refuse = refuserOf(turn)
  const rule = turn.spoken?.rule
  if (rule === undefined) {
    const error = apiError('not-recorded', { endpoint: turn.endpoint, model: turn.model })
    return refuse('request', checkBody(turn)) ?? refuse('request', error)
  }
  return rule.answers && (refuse('limit', checkLimits(turn)) ?? replay(turn, rule.place, rule.answers))
}

function bend(plan: Plan, struck: Struck, twist: Twist | undefined, turn: Turn): Plan {
  const bent = bendPlan(plan, struck, twist, turn)
  if ('events' in bent) return bent
  // What was answered and is taken back costs nothing.
  turn.usage = undefined
  return answerError(turn, bent, { by: 'request', name: bent.name })
}
