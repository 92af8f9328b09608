/**
 * A reply: the neutral answer to a turn, which a dialect writes as a body or as events.
 *
 *     { message: { type: 'text', text: 'Hello' }, finishReason: 'stop', tokens: 1, callIds: [[]], logprobs: undefined,
 *       audio: undefined, usage: { prompt: 8, completion: 1, total: 9, ... } }
 */

import type { AudioFormat } from '../../lib/audio/audio-formats.ts'
import type { AssistantMessage } from './assistant-message.ts'
import type { Logprobs } from './logprobs.ts'

/** A message as the client gets it, with its tokens counted. */
export interface FinishedMessage {
  readonly message: AssistantMessage
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter'
  readonly tokens: number
}

/** The spoken form of a text. */
export interface Audio {
  readonly id: string
  readonly format: AudioFormat
  /** Its length in audio tokens of 50 ms. */
  readonly tokens: number
  /** True if the token limit cut it. */
  readonly isCut: boolean
}

/** The use of the prompt cache by a call. */
export interface CachedPrompt {
  /** Tokens of the prompt that were read from the cache. */
  readonly cachedTokens: number
  /** Tokens of the prompt that were written to it. */
  readonly cacheWriteTokens: number
}

/** Tokens of the prompt and of all choices. */
export interface ReplyUsage {
  readonly prompt: number
  readonly completion: number
  readonly total: number
  /** The audio tokens of the prompt. */
  readonly audio: number
  /** The audio tokens of the completion. */
  readonly spoken: number
  /** True for an audio model, and for a call with audio: the details tell text and audio apart. */
  readonly isOfAudio: boolean
  /** The use of the prompt cache; undefined where prompts are not cached. */
  readonly cache: CachedPrompt | undefined
  /** The tokens written to the prompt cache; undefined for a model that does not say. */
  readonly written: number | undefined
  /** The tokens of the completion that are reasoning. */
  readonly reasoning: number
  /** The tokens of the prediction that the answer contains. */
  readonly accepted: number
  /** The other tokens of the prediction, which count as completion too. */
  readonly rejected: number
}

/** The answer to a turn. All its choices hold the same message; only the ids of their calls differ. */
export interface Reply extends FinishedMessage {
  /** The ids of the calls of each choice: one list for each choice, empty for a text. */
  readonly callIds: readonly (readonly string[])[]
  /** Undefined when the request did not ask for them. */
  readonly logprobs: Logprobs | undefined
  /** Undefined for an answer that is not spoken. */
  readonly audio: Audio | undefined
  readonly usage: ReplyUsage
}
