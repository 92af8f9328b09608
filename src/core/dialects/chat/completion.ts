/**
 * Writes a reply as a whole `chat.completion`:
 *
 *     {"id":"chatcmpl-...","object":"chat.completion","created":1735689600,"model":"gpt-4o",
 *      "choices":[{"index":0,"message":{...},"logprobs":null,"finish_reason":"stop"}],"usage":{...},...}
 *
 * A stream (chat-stream.ts) takes the frame, the usage and the beginning of calls from here.
 */

import { jsonOfText, type Part } from '../../protocol/plan/text-parts.ts'
import type { AssistantMessage, ToolCall } from '../../protocol/turn/assistant-message.ts'
import { logprobsFrame } from '../../protocol/turn/logprobs.ts'
import type { Audio, Reply, ReplyUsage } from '../../protocol/turn/reply.ts'
import type { ToolType } from '../../protocol/turn/turn.ts'
import { audioParts } from './spoken-audio.ts'

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
  const { message, finishReason, callIds, logprobs, audio, usage } = reply
  let logprobParts: readonly Part[] = frame.hasLogprobsKey ? [',"logprobs":null'] : []
  if (logprobs !== undefined) {
    const [opening, closing] = logprobsFrame(message.type === 'refusal')
    logprobParts = [`,"logprobs":${opening}`, logprobs, closing]
  }
  const partsWith = messageParts(message, audio, frame.created)
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

/** Returns the content, refusal or calls of a message, given the ids of its calls. Choices differ only in these. */
function messageParts(
  message: AssistantMessage,
  audio: Audio | undefined,
  created: number,
): (ids: readonly string[]) => readonly Part[] {
  switch (message.type) {
    case 'text': {
      const parts = audio
        ? audioParts(audio, message.text, created)
        : ['"content":"', jsonOfText(message.text), '","refusal":null']
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

function callParts(calls: readonly ToolCall[]): (ids: readonly string[]) => readonly Part[] {
  // The inputs may be long: all choices share them.
  const called = calls.map(({ type, name, input }): readonly Part[] => [
    `{"name":${JSON.stringify(name)},"${inputName(type)}":"`,
    jsonOfText(input),
    '"}',
  ])
  if (calls[0]!.type === 'function_call') {
    const parts = ['"content":null,"function_call":', ...called[0]!, ',"refusal":null']
    return () => parts
  }
  return (ids) => {
    const parts: Part[] = ['"content":null,"tool_calls":[']
    for (const [index, call] of calls.entries()) {
      parts.push(`${index === 0 ? '' : ','}{${callHead(call, ids[index]!)}`, ...called[index]!, '}')
    }
    parts.push('],"refusal":null')
    return parts
  }
}

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
