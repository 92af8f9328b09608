/** The chat request as the mock acts on it, read from a body that passed its checks. */

import type { AudioFormat } from '../../../lib/audio/audio-formats.ts'
import { isMissing, isObject, type JsonObject, toText } from '../../../lib/text/json.ts'
import { contentText } from '../../../protocol/request/chat-messages.ts'
import type { CallContext } from '../../call/call-context.ts'
import { asksForAudio } from '../checks/model-support.ts'

export interface ResponseFormat {
  readonly type: 'text' | 'json_object' | 'json_schema'
  /** The name of the schema; '' without one. */
  readonly name: string
  /** Undefined when any JSON is valid. */
  readonly schema: unknown
}

const TEXT: ResponseFormat = { type: 'text', name: '', schema: undefined }

/** A chat request that passed its checks, as far as the mock acts on it. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly JsonObject[]
  readonly n: number
  readonly stops: readonly string[]
  readonly maxTokens: number
  readonly isStream: boolean
  readonly includeUsage: boolean
  /** Undefined when the request does not say; then it depends on the scenario. */
  readonly includeObfuscation: boolean | undefined
  readonly serviceTier: string
  readonly format: ResponseFormat
  /** Undefined when the request does not say; then it depends on the model. */
  readonly effort: string | undefined
  /** Number of the most likely tokens to list for each token; undefined without `logprobs`. */
  readonly topLogprobs: number | undefined
  /** The text of `prediction`; undefined without one. */
  readonly prediction: string | undefined
  /** The format of the audio to answer with; undefined for an answer without audio. */
  readonly audioFormat: AudioFormat | undefined
}

/** The request, once `checkChat` found no problem. */
export const readChat = (context: CallContext): ChatRequest => context.once(requestOf)

function requestOf(body: JsonObject): ChatRequest {
  const { service_tier: tier } = body
  const streamOptions = isObject(body.stream_options) ? body.stream_options : {}
  return {
    model: body.model as string,
    messages: body.messages as readonly JsonObject[],
    n: (body.n as number | null | undefined) ?? 1,
    stops: isMissing(body.stop) ? [] : ([body.stop].flat() as string[]).filter(Boolean),
    maxTokens: (body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY) as number,
    isStream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    includeObfuscation: (streamOptions.include_obfuscation as boolean | null | undefined) ?? undefined,
    serviceTier: tier === 'fast' ? 'priority' : tier === 'priority' || tier === 'flex' ? tier : 'default',
    format: readResponseFormat(body.response_format),
    effort: (body.reasoning_effort as string | null | undefined) ?? undefined,
    topLogprobs: body.logprobs === true ? ((body.top_logprobs as number | null | undefined) ?? 0) : undefined,
    prediction: isObject(body.prediction) ? contentText(body.prediction.content) : undefined,
    audioFormat: asksForAudio(body) && isObject(body.audio) ? (body.audio.format as AudioFormat) : undefined,
  }
}

/** Reads a format that passed its checks. */
function readResponseFormat(value: unknown): ResponseFormat {
  if (!isObject(value) || value.type === 'text') return TEXT
  const { json_schema: given } = value
  if (!isObject(given)) return { type: 'json_object', name: '', schema: undefined }
  return { type: 'json_schema', name: toText(given.name), schema: given.schema ?? undefined }
}
