/** The models endpoint: the models that the scenario lists, or two examples if it accepts any name. */

import { Random } from '../../lib/random/random.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { apiError } from '../../protocol/errors/error-catalogue.ts'
import { answerError, answerJson } from '../call/respond.ts'
import type { EndpointDefinition } from './endpoint-definition.ts'

/** Listed by a scenario that accepts any name. */
const EXAMPLE_MODELS = ['echo-1', 'hash-1']

export const models: EndpointDefinition = {
  check: () => undefined,
  answer(context) {
    const { scenario, route, key } = context
    const describe = (id: string): object => {
      const created = 1_686_935_002 + new Random(`${scenario.seed}|model|${id}`).below(50_000_000)
      return { id, object: 'model', created, owned_by: 'llm-api-mock' }
    }
    const reason = { by: 'models', name: 'models' } as const
    const { parameter } = route
    if (parameter === undefined) {
      const data = (scenario.modelNames ?? EXAMPLE_MODELS).map(describe)
      return { plan: answerJson(context, JSON.stringify({ object: 'list', data }), reason) }
    }
    if (scenario.model(parameter) === undefined) {
      const error = apiError('unknown-model', { model: maskKeysIn(parameter, key) })
      return { plan: answerError(context, error, { by: 'request', name: error.name }) }
    }
    return { plan: answerJson(context, JSON.stringify(describe(parameter)), reason) }
  },
}
