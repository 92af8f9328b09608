/** The table of all endpoints. docs/adding-an-endpoint.md says how to add one. */

import type { Endpoint } from '../../protocol/request/endpoints.ts'
import type { EndpointDefinition } from '../call/answer.ts'
import { chat } from './chat-endpoint.ts'
import { embeddings } from './embeddings-endpoint.ts'
import { models } from './models-endpoint.ts'
import { inputTokens, responses } from './responses-endpoint.ts'
import { storedCompletions } from './stored-completions-endpoint.ts'
import { storedResponses } from './stored-responses-endpoint.ts'

/** An unknown path has none: such a call is refused before its endpoint is looked up. */
export const registry: Readonly<Record<Endpoint, EndpointDefinition>> = {
  chat,
  responses,
  embeddings,
  'stored-completions': storedCompletions,
  'stored-responses': storedResponses,
  'input-tokens': inputTokens,
  models,
}
