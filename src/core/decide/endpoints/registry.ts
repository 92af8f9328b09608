/** The endpoints and what each does. docs/adding-an-endpoint.md says how to add one. */
import type { Endpoint, RoutedEndpoint } from '../../protocol/request/endpoints.ts'
import { chat } from './chat/chat-endpoint.ts'
import { embeddings } from './embeddings/embeddings-endpoint.ts'
import type { EndpointDefinition } from './endpoint-definition.ts'
import { models } from './models-endpoint.ts'
import { storedCompletions } from './stored-completions/stored-completions-endpoint.ts'

const registry: Readonly<Record<Endpoint, EndpointDefinition>> = {
  chat,
  embeddings,
  'stored-completions': storedCompletions,
  models,
}

/** The definition of an endpoint. A call to an unknown path never asks for one: its route is refused before. */
export const endpointNamed = (name: RoutedEndpoint): EndpointDefinition => registry[name as Endpoint]
