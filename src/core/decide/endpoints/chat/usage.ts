/** Counts the usage of a chat: the tokens of its prompt and of its answer, with their details. */

import { lastCut } from '../../../lib/text/graphemes.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { CachedPrompt } from '../../call/respond.ts'
import type { FinishedMessage } from './finish-message.ts'
import type { PromptTokens } from './prompt.ts'
import type { ChatRequest } from './read-chat.ts'

/** Tokens of the prompt and of all choices. */
export interface ChatUsage {
  readonly prompt: number
  readonly completion: number
  readonly total: number
  /** The part of the prompt that is audio. */
  readonly audio: number
  /** The part of the prompt that is images. */
  readonly image: number
  /** The part of the completion that is audio. */
  readonly spoken: number
  /** True if the answer is spoken, or of an audio model: its details tell text and audio apart. */
  readonly isOfAudio: boolean
  /** The use of the prompt cache; undefined where prompts are not cached. */
  readonly cache: CachedPrompt | undefined
  /** The part of the completion that is reasoning. */
  readonly reasoning: number
  /** The part of the prediction that the answer contains. */
  readonly accepted: number
  /** The rest of the prediction, which counts as completion too. */
  readonly rejected: number
}

export function usageOf(
  { tokens: prompt, audio, image }: PromptTokens,
  finished: FinishedMessage,
  reasoning: number,
  { n, prediction }: ChatRequest,
  context: CallContext,
  { spoken, isOfAudio, cache }: Pick<ChatUsage, 'spoken' | 'isOfAudio' | 'cache'>,
): ChatUsage {
  const answer = finished.message.type === 'text' ? finished.message.text : ''
  const { accepted, rejected } =
    prediction === undefined
      ? NOTHING_PREDICTED
      : context.memo(`prediction ${context.encoding}`, answer, () =>
          comparePrediction(prediction, answer, context.tokenizer),
        )
  const completion = (finished.tokens + spoken + reasoning + rejected) * n
  return {
    prompt,
    completion,
    total: prompt + completion,
    audio,
    image,
    spoken: spoken * n,
    isOfAudio,
    cache,
    reasoning: reasoning * n,
    accepted: accepted * n,
    rejected: rejected * n,
  }
}

/** The JSON of the usage, in a whole answer and in the last chunk of a stream. */
export function usageJson(usage: ChatUsage): string {
  const { prompt, completion, total, audio, image, reasoning, accepted, rejected, spoken, isOfAudio, cache } = usage
  // The service tells the kinds of input apart only where there are several.
  const kinds =
    audio + image === 0 && !isOfAudio ? '' : `,"text_tokens":${prompt - audio - image},"image_tokens":${image}`
  const writtenKind = isOfAudio ? `,"text_tokens":${completion - spoken - reasoning}` : ''
  const written = cache === undefined ? '' : `,"cache_write_tokens":${cache.cacheWriteTokens}`
  return (
    `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total},` +
    `"prompt_tokens_details":{"cached_tokens":${cache?.cachedTokens ?? 0},"audio_tokens":${audio}${kinds}${written}},` +
    `"completion_tokens_details":{"reasoning_tokens":${reasoning},"audio_tokens":${spoken},` +
    `"accepted_prediction_tokens":${accepted},"rejected_prediction_tokens":${rejected}${writtenKind}}}`
  )
}

const NOTHING_PREDICTED = { accepted: 0, rejected: 0 }

/** The accepted part is the common beginning and the common end of prediction and answer. */
function comparePrediction(prediction: string, answer: string, tokenizer: Tokenizer): typeof NOTHING_PREDICTED {
  const shorter = Math.min(answer.length, prediction.length)
  let start = 0
  while (start < shorter && answer[start] === prediction[start]) start++
  start = lastCut(prediction, start)
  let end = 0
  while (end < shorter - start && answer.at(-1 - end) === prediction.at(-1 - end)) end++
  const differs = prediction.slice(start, prediction.length - end)
  const rejected = tokenizer.count(differs)
  return { accepted: Math.max(0, tokenizer.count(prediction) - rejected), rejected }
}

// Recorded reasoning models count in blocks of 64 tokens. The mean number of blocks by effort:
const BLOCK = 64
const BLOCKS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 0,
  low: 2,
  medium: 4,
  high: 10,
  xhigh: 20,
  max: 40,
}

/** Reasoning tokens, drawn from the seed: more for a higher effort, at most half of `max_tokens`. */
export function reasoningTokens(context: CallContext, { effort, maxTokens }: ChatRequest): number {
  if (context.modelRule?.reasoning !== true) return 0
  const blocks = BLOCKS[effort] ?? 0
  const drawn = blocks === 0 ? 0 : BLOCK * (1 + Math.floor(blocks / 2) + context.random('reasoning').below(blocks))
  return Math.min(drawn, Math.floor(maxTokens / 2))
}
