/** The models endpoint: lists the models of the scenario, or describes one of them. */

import { Random } from '../../lib/random/random.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { apiError } from '../../protocol/errors/error-catalogue.ts'
import type { EndpointDefinition } from '../call/answer.ts'
import { answerJson, refuse } from '../call/respond.ts'

/** The names that a scenario lists if it accepts any name. */
const EXAMPLE_MODELS = ['echo-1', 'hash-1']
const FIRST_CREATED = 1_686_935_002
const CREATED_WITHIN_SECONDS = 50_000_000

/** `GET /v1/models` gives a list of models, `GET /v1/models/gpt-4o` one: `{"id":"gpt-4o","object":"model",...}`. */
export const models: EndpointDefinition = {
  check: () => undefined,
  answer(context) {
    const { scenario, route, key } = context
    const describe = (id: string): object => {
      const created = FIRST_CREATED + new Random(`${scenario.seed}|model|${id}`).below(CREATED_WITHIN_SECONDS)
      return { id, object: 'model', created, owned_by: 'llm-api-mock' }
    }
    const reason = { by: 'models', name: 'models' } as const
    const { parameter: model } = route
    if (model === undefined) {
      const data = (scenario.modelNames ?? EXAMPLE_MODELS).map(describe)
      return { plan: answerJson(context, JSON.stringify({ object: 'list', data }), reason) }
    }
    if (scenario.model(model) === undefined)
      return refuse(context, 'request', apiError('unknown-model', { model: maskKeysIn(model, key) }))
    return { plan: answerJson(context, JSON.stringify(describe(model)), reason) }
  },
}
