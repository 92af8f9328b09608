/**
 * The whole flow on one screen: conditions, outermost first, around the endpoint.
 *
 *   route -> key -> fault -> body -> model -> limits -> checks -> queue -> endpoint -> pace -> fault that bends
 *
 * The first condition that refuses decides the answer. Nothing here awaits, reads a clock or draws an unseeded number;
 * the only state that moves is the memory of the turn: counted faults, sequences, limits and calls in flight.
 */
import { answerError, answerPage, answerPreflight, explain } from './answer.ts'
import { answerChat } from './chat/endpoint.ts'
import { checkChat } from './chat/request.ts'
import { checkBody, checkModel } from './conditions/body.ts'
import { findFault } from './conditions/faults.ts'
import { checkKey } from './conditions/key.ts'
import { checkLimits } from './conditions/limits.ts'
import { checkQueue, pacePlan } from './conditions/pace.ts'
import { checkRoute } from './conditions/route.ts'
import { foreseeEnd } from './conditions/settlement.ts'
import { bendPlan, failureOf, reasonOf, type Struck, twistOf } from './conditions/striking.ts'
import { answerEmbeddings } from './embeddings/endpoint.ts'
import { checkEmbeddings } from './embeddings/request.ts'
import type { ApiError } from './errors.ts'
import type { Twist } from './faults/twist.ts'
import { answerModels } from './models.ts'
import type { Plan, Reason } from './plan.ts'
import type { Endpoint } from './route.ts'
import type { Turn } from './turn.ts'

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

  const twist = found && twistOf(found, turn)
  const { check, answer } = endpoints[turn.endpoint]
  const plan =
    refuse('request', checkBody(turn)) ??
    refuse('request', checkModel(turn)) ??
    refuse('limit', checkLimits(turn)) ??
    refuse('request', check(turn)) ??
    refuse('queue', checkQueue(turn)) ??
    pacePlan(answer(turn, twist), turn)
  const played = found === undefined ? plan : bend(plan, found, twist, turn)
  if (turn.charge !== undefined) foreseeEnd(turn, played)
  return played
}

function bend(plan: Plan, struck: Struck, twist: Twist | undefined, turn: Turn): Plan {
  const bent = bendPlan(plan, struck, twist, turn)
  if ('events' in bent) return bent
  // What was answered and is taken back costs nothing.
  turn.usage = undefined
  return answerError(turn, bent, { by: 'request', name: bent.name })
}
