/** The endpoints as data, for every layer. Their code is in `core/decide/endpoints/registry.ts`. */

import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { type Charge, estimateInputs, NO_CHARGE } from './charge.ts'

type Method = 'GET' | 'POST' | 'DELETE'

/** The properties of an endpoint. */
export interface EndpointDescription {
  /**
   * The routes that it answers besides OPTIONS, the main one first. A segment in braces is a parameter; with a plus, as in
   * `{+model}`, it may contain slashes. An endpoint that reads a body has no parameters.
   */
  readonly routes: readonly `${Method} /v1/${string}`[]
  /**
   * True if a call has a JSON body that names a model. Such calls are rate limited, paced and recorded, and the models,
   * rules and injected faults of a scenario can be confined to such an endpoint.
   */
  readonly readsBody: boolean
  /** True if the body holds messages and tools. Reply rules answer such calls only. */
  readonly hasMessages: boolean
  /** True if the body has the form of a responses call, whose items are stored. */
  readonly readsItems?: true
  /** The reason of an answer that no rule, fault or limit decided. */
  readonly reason: string
  /** Estimates the charge of a call without messages: with messages, it is that of the turn. The body has not been checked. */
  readonly estimateCharge: (body: JsonObject) => Charge
  /** The default of the most bytes that an answer may have. */
  readonly answerLimit: number
}

const ANSWER_LIMIT = 16_000_000
/** Holds a full batch: 2,048 vectors of 3,072 decimals, 85 MB at most, which are computed while they are sent. */
const EMBEDDINGS_LIMIT = 100_000_000

/** The properties of an endpoint that generates from messages; the others say what differs. */
const USUAL = {
  readsBody: true,
  hasMessages: true,
  estimateCharge: () => NO_CHARGE,
  answerLimit: ANSWER_LIMIT,
} as const
/** The properties of an endpoint that looks something up. */
const BODILESS = { ...USUAL, readsBody: false, hasMessages: false } as const

export const ENDPOINTS = {
  chat: { ...USUAL, routes: ['POST /v1/chat/completions'], reason: 'echo' },
  responses: { ...USUAL, routes: ['POST /v1/responses'], readsItems: true, reason: 'echo' },
  'input-tokens': {
    ...USUAL,
    routes: ['POST /v1/responses/input_tokens'],
    hasMessages: false,
    readsItems: true,
    reason: 'count',
  },
  embeddings: {
    ...USUAL,
    routes: ['POST /v1/embeddings'],
    hasMessages: false,
    reason: 'vectors',
    estimateCharge: estimateInputs,
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
    ...BODILESS,
    reason: 'stored',
  },
  'stored-responses': {
    routes: ['GET /v1/responses/{id}', 'DELETE /v1/responses/{id}', 'GET /v1/responses/{id}/input_items'],
    ...BODILESS,
    reason: 'stored',
  },
  models: { ...BODILESS, routes: ['GET /v1/models', 'GET /v1/models/{+model}'], reason: 'models' },
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

/** Fields of a responses body that a body for embeddings never has. */
const RESPONSES_ONLY =
  'instructions max_output_tokens previous_response_id reasoning store stream text tool_choice tools'.split(' ')

/** The endpoint that a body is most likely for. An input that is only text may be for two: then it is that of embeddings. */
export function guessEndpoint(body: unknown): ModelEndpoint {
  if (!isObject(body) || 'messages' in body || !('input' in body)) return 'chat'
  const { input } = body
  const hasItems = Array.isArray(input) && input.some(isObject)
  return hasItems || RESPONSES_ONLY.some((name) => name in body) ? 'responses' : 'embeddings'
}

/** The path of an endpoint that reads a body. */
export const pathOf = (name: ModelEndpoint): string => ENDPOINTS[name].routes[0].slice('POST '.length)
