/** The endpoints and what each does. docs/adding-an-endpoint.md says how to add one. */

import { Random } from '../../lib/random/random.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { apiError } from '../../protocol/errors/error-catalogue.ts'
import type { Endpoint } from '../../protocol/request/endpoints.ts'
import { answerError, answerJson, type EndpointDefinition } from '../call/respond.ts'
import { chat } from './chat-endpoint.ts'
import { embeddings } from './embeddings-endpoint.ts'
import { responses } from './responses-endpoint.ts'
import { storedCompletions } from './stored-completions-endpoint.ts'
import { inputTokens, storedResponses } from './stored-responses-endpoint.ts'

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

/** A call to an unknown path never asks for one: its route is refused before. */
export const registry: Readonly<Record<Endpoint, EndpointDefinition>> = {
  chat,
  responses,
  embeddings,
  'stored-completions': storedCompletions,
  'stored-responses': storedResponses,
  'input-tokens': inputTokens,
  models,
}
