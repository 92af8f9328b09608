/**
 * Writes a reply as a whole `chat.completion`:
 *
 *     {"id":"chatcmpl-...","object":"chat.completion","created":1735689600,"model":"gpt-4o",
 *      "choices":[{"index":0,"message":{...},"logprobs":null,"finish_reason":"stop"}],"usage":{...},...}
 *
 * A stream (chat-stream.ts) takes the frame, the usage and the beginning of calls from here.
 */

import { AUDIO_FORMATS } from '../../lib/audio/audio-formats.ts'
import { base64 } from '../../lib/text/bytes.ts'
import { jsonOfText, type Part } from '../../protocol/plan/text-parts.ts'
import type { ToolCall } from '../../protocol/turn/assistant-message.ts'
import { logprobsFrame } from '../../protocol/turn/logprobs.ts'
import type { Audio, Reply, ReplyUsage } from '../../protocol/turn/reply.ts'
import type { ToolType } from '../../protocol/turn/turn.ts'

/** The fields that a whole answer has once and a stream repeats in every chunk. */
export interface CompletionFrame {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly serviceTier: string
  readonly systemFingerprint: string | null
  /** True if a choice has the key `logprobs` even where the request did not ask for them. */
  readonly hasLogprobsKey: boolean
  /** The JSON of the moderation that the request asks for. */
  readonly moderation: string | undefined
}

/** The JSON of a whole answer, in parts that its choices share. */
export function completionParts(frame: CompletionFrame, reply: Reply): Part[] {
  const { message, finishReason, callIds, logprobs, usage } = reply
  let logprobParts: readonly Part[] = frame.hasLogprobsKey ? [',"logprobs":null'] : []
  if (logprobs !== undefined) {
    const [opening, closing] = logprobsFrame(message.type === 'refusal')
    logprobParts = [`,"logprobs":${opening}`, logprobs, closing]
  }
  const partsWith = messageParts(reply, frame.created)
  const parts: Part[] = [
    `{"id":"${frame.id}","object":"chat.completion","created":${frame.created},"model":${JSON.stringify(frame.model)},"choices":[`,
  ]
  for (let index = 0; index < callIds.length; index++) {
    parts.push(`${index === 0 ? '' : ','}{"index":${index},"message":{"role":"assistant",`)
    parts.push(...partsWith(callIds[index]!), ',"annotations":[]}', ...logprobParts)
    parts.push(`,"finish_reason":"${finishReason}"}`)
  }
  parts.push(
    `],"usage":${usageJson(usage)},"service_tier":"${frame.serviceTier}",` +
      `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)}`,
  )
  if (frame.moderation !== undefined) parts.push(`,"moderation":${frame.moderation}`)
  parts.push('}')
  return parts
}

/** Returns the content, refusal or calls of a message, given the ids of its calls. Choices share all the rest, which may be long. */
function messageParts({ message, audio }: Reply, created: number): (ids: readonly string[]) => readonly Part[] {
  switch (message.type) {
    case 'text': {
      const json = jsonOfText(message.text)
      const parts = audio ? audioParts(audio, json, created) : ['"content":"', json, '","refusal":null']
      return () => parts
    }
    case 'refusal': {
      const parts = ['"content":null,"refusal":"', jsonOfText(message.text), '"']
      return () => parts
    }
    case 'calls':
      return callParts(message.calls)
    default:
      return message satisfies never
  }
}

function audioParts(audio: Audio, transcript: Part, created: number): readonly Part[] {
  const fields = `"id":"${audio.id}","data":"${encodeAudio(audio)}","expires_at":${created + SECONDS_KEPT}`
  return [`"content":null,"refusal":null,"audio":{${fields},"transcript":"`, transcript, '"}']
}

function callParts(calls: readonly ToolCall[]): (ids: readonly string[]) => readonly Part[] {
  const called = calls.map(({ type, name, input }): readonly Part[] => [
    `{"name":${JSON.stringify(name)},"${inputName(type)}":"`,
    jsonOfText(input),
    '"}',
  ])
  return (ids) => {
    if (calls[0]!.type === 'function_call') return ['"content":null,"function_call":', ...called[0]!, ',"refusal":null']
    const parts: Part[] = ['"content":null,"tool_calls":[']
    for (const [index, call] of calls.entries()) {
      parts.push(`${index === 0 ? '' : ','}{${callHead(call, ids[index]!)}`, ...called[index]!, '}')
    }
    parts.push('],"refusal":null')
    return parts
  }
}

/** Seconds for which the service keeps audio that later messages refer to. */
export const SECONDS_KEPT = 3600

/** A file in base64, in the format asked for. Takes a millisecond. */
export const encodeAudio = ({ format, tokens }: Audio): string => base64(AUDIO_FORMATS[format](tokens))

/** The beginning of a call, in a whole answer and in the first chunk of a streamed call: `"id":"call_1","type":"function","function":`. */
export const callHead = ({ type }: ToolCall, id: string): string => `"id":"${id}","type":"${type}","${type}":`

/** The field that holds the input of a call. */
export const inputName = (type: ToolType): string => (type === 'custom' ? 'input' : 'arguments')

/** The JSON of the usage, in a whole answer and in the last chunk of a stream. */
export function usageJson(usage: ReplyUsage): string {
  const { prompt, completion, total, audio, reasoning, accepted, rejected, spoken, isOfAudio, cache, written } = usage
  const promptKinds = isOfAudio ? `,"text_tokens":${prompt - audio},"image_tokens":0` : ''
  const completionKinds = isOfAudio ? `,"text_tokens":${completion - spoken - reasoning}` : ''
  const cacheWrites = written === undefined ? '' : `,"cache_write_tokens":${written}`
  return (
    `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total},` +
    `"prompt_tokens_details":{"cached_tokens":${cache?.cachedTokens ?? 0},"audio_tokens":${audio}${promptKinds}${cacheWrites}},` +
    `"completion_tokens_details":{"reasoning_tokens":${reasoning},"audio_tokens":${spoken},` +
    `"accepted_prediction_tokens":${accepted},"rejected_prediction_tokens":${rejected}${completionKinds}}}`
  )
}
