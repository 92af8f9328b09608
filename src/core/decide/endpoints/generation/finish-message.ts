/**
 * Ends a message as the request asks, and counts it:
 *
 *   drawReasoning    the tokens that a reasoning model thinks first
 *   finishMessage    the message, cut at a stop sequence or at a number of tokens
 *   speak            its audio, for an answer that is spoken
 *   countUsage       the usage of the whole answer
 */

import type { AudioFormat } from '../../../lib/audio/audio-formats.ts'
import { findText } from '../../../lib/text/find-text.ts'
import { lastCut } from '../../../lib/text/graphemes.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/turn/assistant-message.ts'
import type { Audio, FinishedMessage, ReplyUsage } from '../../../protocol/turn/reply.ts'
import { type Turn, USUAL_EFFORT } from '../../../protocol/turn/turn.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallContext, CallDraws } from '../../call/call-context.ts'
import type { CallRequest } from '../../call/call-request.ts'
import { frameTokens, type PromptTokens } from './prompt.ts'

/** Thinking comes in blocks of so many tokens. */
const BLOCK = 64
/**
 * The numbers of blocks of a call at effort medium, each as likely. Recorded: more than 50 tokens in 9 of 9 calls, more than 100
 * in 4 of 12, more than 500 in 0 of 22.
 */
const BLOCKS = [0, 1, 1, 1, 1, 1, 1, 2, 2, 3]
/** The factor for the blocks at each effort; that of any other is 0. */
const EFFORTS: Readonly<Record<string, number>> = { low: 0.5, medium: 1, high: 3, xhigh: 6, max: 12 }

/** The reasoning tokens of a reasoning model, drawn from the seed: more for a higher effort. If they reach `maxTokens`, nothing is said. */
export function drawReasoning({ rules, draws }: CallContext, { effort, maxTokens }: Turn): number {
  const factor = EFFORTS[effort ?? rules.modelRule?.effort ?? USUAL_EFFORT] ?? 0
  const blocks = factor === 0 ? 0 : Math.floor(BLOCKS[draws.random('reasoning').below(BLOCKS.length)]! * factor)
  return Math.min(BLOCK * blocks, maxTokens)
}

// The largest answer of a model today has 128,000 tokens. Without a limit, a small request could ask for gigabytes.
const MAX_TOKENS = 128_000
const MAX_CHARACTERS = 1_000_000

/** Limits of each choice: those of the request, and at most an equal share of the limits of all choices. */
interface MessageLimits {
  readonly maxTokens: number
  readonly maxCharacters: number
}

/** Cuts a message at its first stop sequence or at the token limit, never inside a grapheme. */
export function finishMessage(
  message: AssistantMessage,
  { n, stops, maxTokens }: Turn,
  reasoningTokens: number,
  { request, rules }: CallContext,
): FinishedMessage {
  // The thinking took all the tokens.
  if (reasoningTokens > 0 && reasoningTokens >= maxTokens)
    return { message: { type: 'text', text: '' }, finishReason: 'length', tokens: 0 }
  const maxCharacters = Math.floor(MAX_CHARACTERS / n)
  const limits = { maxTokens: Math.min(maxTokens - reasoningTokens, Math.floor(MAX_TOKENS / n)), maxCharacters }
  if (message.type === 'calls') return finishCalls(message, limits, request, rules.modelRule)
  let { text: whole } = message
  let finishReason: FinishedMessage['finishReason'] = 'stop'
  if (message.type === 'text') {
    finishReason = message.finishReason ?? 'stop'
    if (stops.length > 0) {
      // The name of a memo has all that decides its result besides the text and the body, so here the limit.
      const end = request.memo(`stop ${maxCharacters}`, whole, () => findStop(whole, stops, maxCharacters))
      whole = whole.slice(0, end)
    }
  }
  const { text, tokens, isWhole } = truncateText(whole, limits, request)
  // Most texts are whole; not copying them is measurable.
  const finished = text === message.text ? message : { ...message, text }
  return { message: finished, finishReason: isWhole ? finishReason : 'length', tokens }
}

/** The start of the first stop sequence, or the end of the text. Those that begin after `maxCharacters` make no difference. */
function findStop(text: string, stops: readonly string[], maxCharacters: number): number {
  let end = text.length
  for (const stop of stops) {
    const start = findText(text, stop, Math.min(end, maxCharacters))
    if (start >= 0) end = start
  }
  return end
}

/** The part of a text that is within the limits, with its tokens. */
function truncateText(whole: string, { maxTokens, maxCharacters }: MessageLimits, request: CallRequest) {
  const kept = whole.length <= maxCharacters ? whole : whole.slice(0, lastCut(whole, maxCharacters))
  const { length, tokens } = request.memo(`cut ${request.encoding} ${maxTokens}`, kept, () =>
    request.tokenizer.cut(kept, maxTokens),
  )
  if (length === kept.length) return { text: kept, tokens, isWhole: kept === whole }
  // The last tokens may be a part of a grapheme that is left out; they are counted all the same.
  return { text: kept.slice(0, lastCut(kept, length)), tokens: maxTokens, isWhole: false }
}

/** Keeps the calls that fit. The last one may lose a part of its arguments; a call without room for its name is dropped. */
function finishCalls(
  { calls, finishReason }: Extract<AssistantMessage, { readonly type: 'calls' }>,
  { maxTokens, maxCharacters }: MessageLimits,
  request: CallRequest,
  modelRule: Model | undefined,
): FinishedMessage {
  const kept: ToolCall[] = []
  const frame = frameTokens(calls.length)
  let tokens = 0
  /** The message with the calls kept so far. */
  const cutOff = (used: number): FinishedMessage => {
    const message: AssistantMessage = kept.length === 0 ? { type: 'text', text: '' } : { type: 'calls', calls: kept }
    return { message, finishReason: 'length', tokens: used }
  }
  for (const call of calls) {
    const beginning = frame + request.tokenizer.count(call.name)
    // The call is dropped, and its tokens are used all the same.
    if (tokens + beginning > maxTokens) return cutOff(maxTokens)
    tokens += beginning
    const input = truncateText(call.input, { maxTokens: maxTokens - tokens, maxCharacters }, request)
    kept.push({ ...call, input: input.text })
    tokens += input.tokens
    if (!input.isWhole) return cutOff(tokens)
  }
  // As recorded: a call that the request demands by its name ends with `stop`. On a reasoning model, only one of the deprecated
  // `functions` does.
  const isDeprecated = calls[0]!.type === 'function_call'
  const endsWithStop = request.turn.tools.isNamed && (isDeprecated || modelRule?.reasoning !== true)
  const usual = endsWithStop ? 'stop' : isDeprecated ? 'function_call' : 'tool_calls'
  return { message: { type: 'calls', calls: kept }, finishReason: finishReason ?? usual, tokens }
}

/** About the pace of speech. */
const AUDIO_TOKENS_PER_TOKEN = 6
/** Two seconds: the audio is there to be decoded and played, not to be understood. */
const MAX_AUDIO_TOKENS = 40

/** The audio of a message; undefined for calls and refusals, which are not spoken. */
export function speak(
  { message, tokens }: FinishedMessage,
  format: AudioFormat,
  maxTokens: number,
  draws: CallDraws,
): Audio | undefined {
  if (message.type !== 'text') return undefined
  const whole = Math.min(Math.max(1, tokens * AUDIO_TOKENS_PER_TOKEN), MAX_AUDIO_TOKENS)
  const length = Math.min(whole, maxTokens - tokens)
  const id = `audio_${draws.random('audio').hex(32)}`
  return { id, format, tokens: length, isCut: length < whole }
}

/**
 * The usage of a whole answer: the prompt once, and a completion for each choice.
 * @param known what is counted elsewhere: the tokens of reasoning and of audio (`spoken`) in one choice, and those that the prompt
 *   cache held (`cache`) and stored (`written`). With `isOfAudio`, the usage names audio tokens even if there are none.
 */
export function countUsage(
  { tokens: prompt, audio }: PromptTokens,
  finished: FinishedMessage,
  { n, prediction }: Turn,
  request: CallRequest,
  known: Pick<ReplyUsage, 'reasoning' | 'spoken' | 'isOfAudio' | 'cache' | 'written'>,
): ReplyUsage {
  const answer = finished.message.type === 'text' ? finished.message.text : ''
  const { accepted, rejected } =
    prediction === undefined
      ? NOTHING_PREDICTED
      : request.memo(`prediction ${request.encoding}`, answer, () =>
          comparePrediction(prediction, answer, request.tokenizer),
        )
  const { reasoning, spoken } = known
  // All choices hold the same message.
  const completion = (finished.tokens + spoken + reasoning + rejected) * n
  return {
    prompt,
    completion,
    total: prompt + completion,
    audio,
    ...known,
    spoken: spoken * n,
    isOfAudio: known.isOfAudio || audio > 0,
    reasoning: reasoning * n,
    accepted: accepted * n,
    rejected: rejected * n,
  }
}

const NOTHING_PREDICTED = { accepted: 0, rejected: 0 }

/** The tokens of a prediction. The common beginning and the common end of prediction and answer are accepted, the rest is rejected. */
function comparePrediction(prediction: string, answer: string, tokenizer: Tokenizer): typeof NOTHING_PREDICTED {
  const shorter = Math.min(answer.length, prediction.length)
  let start = 0
  while (start < shorter && answer[start] === prediction[start]) start++
  start = lastCut(prediction, start)
  let end = 0
  while (end < shorter - start && answer.at(-1 - end) === prediction.at(-1 - end)) end++
  const rejected = tokenizer.count(prediction.slice(start, prediction.length - end))
  return { accepted: Math.max(0, tokenizer.count(prediction) - rejected), rejected }
}
