/**
 * The whole flow on one screen: conditions, outermost first, around the endpoint.
 *
 *   route -> key -> fault -> body -> model -> limits -> checks -> endpoint -> pace -> fault that bends
 *
 * The first condition that refuses decides the answer. Nothing here awaits, reads a clock or draws an unseeded number;
 * the only state that moves is the memory of the turn: counted faults, sequences and limits.
 */
import { answerError, answerPage, answerPreflight, explain } from './answer.ts'
import { answerChat } from './chat/endpoint.ts'
import { checkChat } from './chat/request.ts'
import { checkBody, checkModel } from './conditions/body.ts'
import { bendPlan, failureOf, findFault, reasonOf, type Struck } from './conditions/faults.ts'
import { checkKey } from './conditions/key.ts'
import { checkLimits } from './conditions/limits.ts'
import { pacePlan } from './conditions/pace.ts'
import { checkRoute } from './conditions/route.ts'
import { answerEmbeddings } from './embeddings/endpoint.ts'
import { checkEmbeddings } from './embeddings/request.ts'
import type { ApiError } from './errors.ts'
import { answerModels } from './models.ts'
import type { Plan, Reason } from './plan.ts'
import type { Endpoint } from './route.ts'
import type { Turn } from './turn.ts'

const endpoints: Record<Endpoint, { check: (turn: Turn) => ApiError | undefined; answer: (turn: Turn) => Plan }> = {
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
  const refuse = (by: Reason['by'], error: ApiError | undefined): Plan | undefined =>
    error && answerError(turn, error, { by, name: error.name })

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

  const { check, answer } = endpoints[turn.endpoint]
  const plan =
    refuse('request', checkBody(turn)) ??
    refuse('request', checkModel(turn)) ??
    refuse('limit', checkLimits(turn)) ??
    refuse('request', check(turn)) ??
    pacePlan(answer(turn), turn)
  return found === undefined ? plan : bend(plan, found, turn)
}

function bend(plan: Plan, struck: Struck, turn: Turn): Plan {
  const bent = bendPlan(plan, struck, turn)
  return 'events' in bent ? bent : answerError(turn, bent, { by: 'request', name: bent.name })
}
