/** The models endpoint: the models that the scenario lists, or two examples if it accepts any name. */

import { Random } from '../../../lib/random/random.ts'
import { maskKeysIn } from '../../../lib/text/mask-keys.ts'
import { apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { Plan } from '../../../protocol/plan/plan.ts'
import type { CallContext } from '../../call/call-context.ts'
import { answerError, answerJson } from '../../call/respond.ts'
import type { EndpointDefinition } from '../definition.ts'

/** Listed by a scenario that accepts any name. */
const EXAMPLE_MODELS = ['echo-1', 'hash-1']

export const models: EndpointDefinition = { check: () => undefined, answer: (context) => ({ plan: plan(context) }) }

function plan(context: CallContext): Plan {
  const { scenario, route } = context
  const reason = { by: 'models', name: 'models' } as const
  const { parameter } = route
  if (parameter === undefined) {
    const data = (scenario.modelNames ?? EXAMPLE_MODELS).map((name) => describe(name, scenario.seed))
    return answerJson(context, JSON.stringify({ object: 'list', data }), reason)
  }
  if (scenario.model(parameter) === undefined) {
    const error = apiError('unknown-model', { model: maskKeysIn(parameter, context.key) })
    return answerError(context, error, { by: 'request', name: error.name })
  }
  return answerJson(context, JSON.stringify(describe(parameter, scenario.seed)), reason)
}

function describe(id: string, seed: string) {
  const created = 1_686_935_002 + new Random(`${seed}|model|${id}`).below(50_000_000)
  return { id, object: 'model', created, owned_by: 'llm-api-mock' }
}
