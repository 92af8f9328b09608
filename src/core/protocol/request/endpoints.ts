/** The endpoints as data, for every layer. Their code is in `core/decide/endpoints/registry.ts`. */
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { contentText } from './chat-messages.ts'

type Method = 'GET' | 'POST' | 'DELETE'

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

const BODILESS = { readsBody: false, hasMessages: false, estimateTokens: () => 0, answerLimit: ANSWER_LIMIT } as const

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
    ...BODILESS,
    reason: 'stored',
  },
  models: {
    routes: ['GET /v1/models', 'GET /v1/models/{+model}'],
    ...BODILESS,
    reason: 'models',
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

// The service reserves tokens before it counts them. The formulas fit recorded `x-ratelimit-remaining-tokens`. They go by
// the length of a body that has not been checked: a value of the wrong type counts nothing.

const MAX_TOKENS = Number.MAX_SAFE_INTEGER

/** A quarter of the characters, 2, and for each choice what `max_tokens` allows. */
function estimateChatTokens({ messages, max_completion_tokens, max_tokens, n }: JsonObject): number {
  let characters = 0
  for (const message of Array.isArray(messages) ? messages : []) {
    if (isObject(message)) characters += contentText(message.content).length
  }
  const reserved = wholeNumber(max_completion_tokens ?? max_tokens) * Math.max(1, wholeNumber(n))
  return Math.ceil(characters / 4) + 2 + Math.min(reserved, MAX_TOKENS)
}

/** A quarter of the characters of the inputs; an input of token numbers counts each of them. */
function estimateInputTokens({ input }: JsonObject): number {
  let tokens = 0
  for (const item of Array.isArray(input) ? input : [input]) {
    if (typeof item === 'string') tokens += item.length / 4
    else tokens += Array.isArray(item) ? item.length : 1
  }
  return Math.max(1, Math.floor(tokens))
}

// JSON may say 1e999, which is Infinity here.
const wholeNumber = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), MAX_TOKENS) : 0
