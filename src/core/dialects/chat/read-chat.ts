/**
 * Reads the body of a chat as a turn: `max_completion_tokens: 20, stop: 'END'` becomes `maxTokens: 20, stops: ['END']`.
 *
 * Conditions read a turn before the body is checked, so the types below hold only for a checked body (turn.ts).
 */

import type { AudioFormat } from '../../lib/audio/audio-formats.ts'
import { isMissing, isObject, type JsonObject, toText } from '../../lib/text/json.ts'
import { type OutputFormat, PLAIN_TEXT, type Turn } from '../../protocol/turn/turn.ts'
import { contentText } from '../../protocol/turn/turn-texts.ts'
import { readChatTools } from '../read-tools.ts'

/** True if the answer is to be spoken. */
export const asksForAudio = ({ modalities }: JsonObject): boolean =>
  Array.isArray(modalities) && modalities.includes('audio')

/** The turn of a chat. */
export function readChat(body: JsonObject): Turn {
  const { service_tier: tier } = body
  const streamOptions = isObject(body.stream_options) ? body.stream_options : {}
  return {
    model: body.model as string,
    messages: Array.isArray(body.messages) ? body.messages : [],
    tools: readChatTools(body),
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

function readResponseFormat(value: unknown): OutputFormat {
  if (!isObject(value) || value.type === 'text') return PLAIN_TEXT
  const { json_schema: given } = value
  if (!isObject(given)) return { type: 'json_object', name: '', schema: undefined }
  return { type: 'json_schema', name: toText(given.name), schema: given.schema ?? undefined }
}
