/**
 * The endpoints as data, for every layer: their routes, and what each takes from the limits when a call arrives. Their code
 * is in `core/decide/endpoints/registry.ts`.
 */

import { countUtf8 } from '../../lib/text/bytes.ts'
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import type { Turn } from '../turn/turn.ts'

type Method = 'GET' | 'POST' | 'DELETE'

/** The part of the limits that a call takes when it arrives, besides one request. */
export interface Charge {
  readonly tokens: number
  /** Images in the request, which the service counts apart. */
  readonly images: number
}

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
  /** Estimates the charge of a call. The body has not been checked. */
  readonly estimateCharge: (body: JsonObject) => Charge
  /** The default of the most bytes that an answer may have. */
  readonly answerLimit: number
}

const ANSWER_LIMIT = 16_000_000
/** Holds a full batch: 2,048 vectors of 3,072 decimals, 85 MB at most, which are computed while they are sent. */
const EMBEDDINGS_LIMIT = 100_000_000

export const NO_CHARGE: Charge = { tokens: 0, images: 0 }
/** The properties of an endpoint that generates from messages. */
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
const RESPONSES_ONLY = [
  ...['instructions', 'max_output_tokens', 'previous_response_id', 'reasoning', 'store', 'stream', 'text'],
  ...['tool_choice', 'tools'],
]

/** The endpoint that a body is most likely for. An input that is only text may be for two: then it is that of embeddings. */
export function guessEndpoint(body: unknown): ModelEndpoint {
  if (!isObject(body) || 'messages' in body || !('input' in body)) return 'chat'
  const { input } = body
  const hasItems = Array.isArray(input) && input.some(isObject)
  return hasItems || RESPONSES_ONLY.some((name) => name in body) ? 'responses' : 'embeddings'
}

/** The path of an endpoint that reads a body. */
export const pathOf = (name: ModelEndpoint): string => ENDPOINTS[name].routes[0].slice('POST '.length)

// The service charges tokens before it counts them. The formulas fit recorded `x-ratelimit-remaining-tokens`. They go by
// the length of a body that has not been checked: a value of the wrong type counts nothing.

/** The charge of an image of any size, and of a file. Sound is free. */
const MEDIUM_TOKENS = 765

/** A quarter of the UTF-8 bytes of the texts, 1 for each message, and 1. Tools, schemas and `max_tokens` add nothing. */
export function chargeOf(messages: readonly unknown[]): Charge {
  let bytes = 0
  let images = 0
  let files = 0
  for (const message of messages) {
    const content: unknown = isObject(message) ? message.content : undefined
    if (typeof content === 'string') bytes += countUtf8(content)
    else if (Array.isArray(content)) {
      for (const part of content) {
        if (!isObject(part)) continue
        const text = part.text ?? part.refusal
        if (typeof text === 'string') bytes += countUtf8(text)
        else if (part.type === 'image_url') images++
        else if (part.type === 'file') files++
      }
    }
  }
  return { tokens: Math.ceil(bytes / 4) + messages.length + 1 + MEDIUM_TOKENS * (images + files), images }
}

/** A quarter of the UTF-8 bytes of the inputs; an input of token numbers counts each of them. */
function estimateInputs({ input }: JsonObject): Charge {
  let tokens = 0
  for (const item of Array.isArray(input) ? input : [input]) {
    if (typeof item === 'string') tokens += countUtf8(item) / 4
    else tokens += Array.isArray(item) ? item.length : 1
  }
  return { tokens: Math.max(1, Math.floor(tokens)), images: 0 }
}

const MAX_TOKENS = Number.MAX_SAFE_INTEGER

/** The tokens that a turn, which may not have been checked, allows for all its choices; 0 if it sets no maximum. */
export const maxAnswerTokens = ({ maxTokens, n }: Pick<Turn, 'maxTokens' | 'n'>): number =>
  maxTokens === Number.POSITIVE_INFINITY
    ? 0
    : Math.min(wholeNumber(maxTokens) * Math.max(1, wholeNumber(n)), MAX_TOKENS)

// JSON may say 1e999, which is Infinity here.
const wholeNumber = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), MAX_TOKENS) : 0
