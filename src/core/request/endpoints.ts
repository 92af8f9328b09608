/** The endpoints as data, for every layer. What they check and answer is in `core/endpoints/registry.ts`. */
import type { JsonObject } from '../text/json.ts'
import { estimateChatTokens, estimateInputTokens } from './token-estimate.ts'

export interface EndpointDescription {
  /** The one method that it takes besides OPTIONS. */
  readonly method: 'GET' | 'POST'
  /** A last segment in braces is a parameter: `/v1/models/{model}`. An endpoint that reads a body has none. */
  readonly paths: readonly string[]
  /**
   * Whether a call has a JSON body that names a model. Such calls are rate limited, paced and recorded, and the models,
   * rules and injected faults of a scenario can be confined to such an endpoint.
   */
  readonly readsBody: boolean
  /** Whether the body holds messages and tools. Reply rules answer such calls only. */
  readonly hasMessages: boolean
  /** The reason of an answer that no rule, fault or limit decided. */
  readonly reason: string
  /** The tokens that a token limit reserves for a call. The body has not been checked. */
  readonly estimateTokens: (body: JsonObject) => number
}

export const ENDPOINTS = {
  chat: {
    method: 'POST',
    paths: ['/v1/chat/completions'],
    readsBody: true,
    hasMessages: true,
    reason: 'echo',
    estimateTokens: estimateChatTokens,
  },
  embeddings: {
    method: 'POST',
    paths: ['/v1/embeddings'],
    readsBody: true,
    hasMessages: false,
    reason: 'vectors',
    estimateTokens: estimateInputTokens,
  },
  models: {
    method: 'GET',
    paths: ['/v1/models', '/v1/models/{model}'],
    readsBody: false,
    hasMessages: false,
    reason: 'models',
    estimateTokens: () => 0,
  },
} as const satisfies Record<string, EndpointDescription>

export type Endpoint = keyof typeof ENDPOINTS
/** The endpoint of any call: `unknown` for a path that belongs to none. */
export type RoutedEndpoint = Endpoint | 'unknown'
/** An endpoint that reads a body with a model in it. */
export type ModelEndpoint = {
  [Name in Endpoint]: (typeof ENDPOINTS)[Name]['readsBody'] extends true ? Name : never
}[Endpoint]

export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly Endpoint[]
export const MODEL_ENDPOINTS = ENDPOINT_NAMES.filter(isModelEndpoint)

export function isModelEndpoint(name: string): name is ModelEndpoint {
  return Object.hasOwn(ENDPOINTS, name) && ENDPOINTS[name as Endpoint].readsBody
}
