/**
 * The whole flow on one screen: conditions, outermost first, around the endpoint.
 *
 *   route -> key -> fault -> [recorded] -> body -> model -> limits -> checks -> endpoint -> pace -> wire fault
 *
 * The first condition that refuses decides the answer. Nothing here awaits, reads a clock or draws an unseeded number;
 * the only state that moves is the memory of the turn: counted faults, sequences and limits.
 */
import { answerError, answerPreflight, explain } from './answer.ts'
import { answerChat } from './chat/endpoint.ts'
import { checkChat } from './chat/request.ts'
import { checkBody, checkModel } from './conditions/body.ts'
import { errorOf, findFault, type Struck } from './conditions/faults.ts'
import { checkKey } from './conditions/key.ts'
import { checkLimits } from './conditions/limits.ts'
import { pacePlan } from './conditions/pace.ts'
import { checkRoute } from './conditions/route.ts'
import { answerEmbeddings } from './embeddings/endpoint.ts'
import { checkEmbeddings } from './embeddings/request.ts'
import { type ApiError, apiError } from './errors.ts'
import { Twist } from './faults/twist.ts'
import { answerModels } from './models.ts'
import { type Plan, type Reason, statusOf } from './plan.ts'
import { replay } from './replay.ts'
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
  const refuse = refuserOf(turn)
  const atTheDoor = refuse('route', checkRoute(turn)) ?? refuse('key', checkKey(turn))
  if (atTheDoor !== undefined) return atTheDoor

  const found = findFault(turn)
  if (found !== undefined && 'error' in found)
    return answerError(turn, found.error, { by: 'request', name: found.error.name })
  const failure = found && errorOf(found, turn)
  if (failure !== undefined) return answerError(turn, failure, reasonOf(found!))

  const twist = found && twistOf(found, turn)
  const { check, answer } = endpoints[turn.endpoint]
  const plan =
    recorded(turn) ??
    refuse('request', checkBody(turn)) ??
    refuse('request', checkModel(turn)) ??
    refuse('limit', checkLimits(turn)) ??
    refuse('request', check(turn)) ??
    pacePlan(answer(turn, twist), turn)
  return found === undefined ? plan : bend(plan, found, twist, turn)
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

function twistOf({ strike: { fault } }: Struck, turn: Turn): Twist | undefined {
  return fault.kind === 'semantic' ? new Twist(fault, turn.random('twist')) : undefined
}

function bend(plan: Plan, struck: Struck, twist: Twist | undefined, turn: Turn): Plan {
  const { fault, options } = struck.strike
  if (fault.kind === 'wire') return { ...fault.bend(plan, options), reason: reasonOf(struck) }
  if (twist === undefined || statusOf(plan) !== 200) return plan
  if (twist.hasStruck) return { ...plan, reason: reasonOf(struck) }
  // Who asks for a fault on this very call must hear that it did not happen; a rule for many calls passes over some.
  const { name, needs } = twist.fault
  if (struck.from === 'header') {
    const error = apiError('fault-not-possible', { fault: name, needs })
    return answerError(turn, error, { by: 'request', name: error.name })
  }
  turn.notes.push(`the fault '${name}' (${struck.from}) found nothing to bend: it needs ${needs}`)
  return plan
}

/** `server-error (faults[0])`: the fault and where it came from. */
function reasonOf({ strike, from }: Struck): Reason {
  return { by: 'fault', name: `${strike.fault.name} (${from})` }
}
