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
  /** The part of the completion that is audio. */
  readonly spoken: number
  /** True for an audio model, and for a call with audio: the details tell text and audio apart. */
  readonly isOfAudio: boolean
  /** The use of the prompt cache; undefined where prompts are not cached. */
  readonly cache: CachedPrompt | undefined
  /** The tokens written to the prompt cache; undefined for a model that does not say. */
  readonly written: number | undefined
  /** The part of the completion that is reasoning. */
  readonly reasoning: number
  /** The part of the prediction that the answer contains. */
  readonly accepted: number
  /** The rest of the prediction, which counts as completion too. */
  readonly rejected: number
}

export function usageOf(
  { tokens: prompt, audio }: PromptTokens,
  finished: FinishedMessage,
  reasoning: number,
  { n, prediction }: ChatRequest,
  context: CallContext,
  { spoken, isOfAudio, cache, written }: Pick<ChatUsage, 'spoken' | 'isOfAudio' | 'cache' | 'written'>,
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
    spoken: spoken * n,
    isOfAudio: isOfAudio || audio > 0,
    cache,
    written,
    reasoning: reasoning * n,
    accepted: accepted * n,
    rejected: rejected * n,
  }
}

/** The JSON of the usage, in a whole answer and in the last chunk of a stream. */
export function usageJson(usage: ChatUsage): string {
  const { prompt, completion, total, audio, reasoning, accepted, rejected, spoken, isOfAudio, cache, written } = usage
  const kinds = isOfAudio ? `,"text_tokens":${prompt - audio},"image_tokens":0` : ''
  const writtenKind = isOfAudio ? `,"text_tokens":${completion - spoken - reasoning}` : ''
  const cacheWrites = written === undefined ? '' : `,"cache_write_tokens":${written}`
  return (
    `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total},` +
    `"prompt_tokens_details":{"cached_tokens":${cache?.cachedTokens ?? 0},"audio_tokens":${audio}${kinds}${cacheWrites}},` +
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

/** Thinking comes in blocks of so many tokens. */
const BLOCK = 64
/** The blocks of one call at effort medium; each entry is as likely. Recorded: more than 50 tokens in 9 of 9 calls, more than 100 in 4 of 12, more than 500 in 0 of 22. */
const BLOCKS = [0, 1, 1, 1, 1, 1, 1, 2, 2, 3]
const EFFORTS: Readonly<Record<string, number>> = { low: 0.5, medium: 1, high: 3, xhigh: 6, max: 12 }

/** Reasoning tokens, drawn from the seed: more for a higher effort. Where they reach the cap of the request, nothing is said. */
export function reasoningTokens(context: CallContext, { effort, maxTokens }: ChatRequest): number {
  const { modelRule } = context
  if (modelRule?.reasoning !== true) return 0
  const factor = EFFORTS[effort ?? modelRule.effort ?? 'medium'] ?? 0
  const blocks = factor === 0 ? 0 : Math.floor(BLOCKS[context.random('reasoning').below(BLOCKS.length)]! * factor)
  return Math.min(BLOCK * blocks, maxTokens)
}
