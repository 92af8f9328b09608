/** The endpoints as data, for every layer. What they check and answer is in `core/endpoints/registry.ts`. */
import type { JsonObject } from '../../lib/text/json.ts'
import { estimateChatTokens, estimateInputTokens } from './token-estimate.ts'

type Method = 'GET' | 'POST' | 'DELETE'

export interface EndpointDescription {
  /**
   * What it answers besides OPTIONS, the main route first. A segment in braces is a parameter; with a plus, as in
   * `{+model}`, it may contain slashes. An endpoint that reads a body has no parameters.
   */
  readonly routes: readonly `${Method} /v1/${string}`[]
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
  /** The default of the most bytes that an answer may have. */
  readonly answerLimit: number
}

const ANSWER_LIMIT = 16_000_000
/** Holds a full batch: 2,048 vectors of 3,072 decimals, 85 MB at most, which are computed while they are sent. */
const EMBEDDINGS_LIMIT = 100_000_000

export const ENDPOINTS = {
  chat: {
    routes: ['POST /v1/chat/completions'],
    readsBody: true,
    hasMessages: true,
    reason: 'echo',
    estimateTokens: estimateChatTokens,
    answerLimit: ANSWER_LIMIT,
  },
  embeddings: {
    routes: ['POST /v1/embeddings'],
    readsBody: true,
    hasMessages: false,
    reason: 'vectors',
    estimateTokens: estimateInputTokens,
    answerLimit: EMBEDDINGS_LIMIT,
  },
  'stored-completions': {
    routes: [
      'GET /v1/chat/completions',
      'GET /v1/chat/completions/{id}',
      'POST /v1/chat/completions/{id}',
      'DELETE /v1/chat/completions/{id}',
      'GET /v1/chat/completions/{id}/messages',
    ],
    readsBody: false,
    hasMessages: false,
    reason: 'stored',
    estimateTokens: () => 0,
    answerLimit: ANSWER_LIMIT,
  },
  models: {
    routes: ['GET /v1/models', 'GET /v1/models/{+model}'],
    readsBody: false,
    hasMessages: false,
    reason: 'models',
    estimateTokens: () => 0,
    answerLimit: ANSWER_LIMIT,
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

/** The path of an endpoint that reads a body. */
export const pathOf = (name: ModelEndpoint): string => ENDPOINTS[name].routes[0].slice('POST '.length)
