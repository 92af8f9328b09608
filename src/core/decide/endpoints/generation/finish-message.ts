/** Ends a message as the request asks: at a stop sequence, or at a number of tokens. */

import { findText } from '../../../lib/text/find-text.ts'
import { lastCut } from '../../../lib/text/graphemes.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/turn/assistant-message.ts'
import type { FinishedMessage } from '../../../protocol/turn/reply.ts'
import type { Turn } from '../../../protocol/turn/turn.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { CallRequest } from '../../call/call-request.ts'

// The largest answer of a model today has 128,000 tokens. Without a limit, a small request could ask for gigabytes.
const MAX_TOKENS = 128_000
const MAX_CHARACTERS = 1_000_000

/** Limits of each choice: those of the request, and at most an equal share of the limits of all choices. */
interface MessageLimits {
  readonly maxTokens: number
  readonly maxCharacters: number
}

/** The answer of a model whose thinking took all its tokens. */
const NOTHING_SAID: FinishedMessage = { message: { type: 'text', text: '' }, finishReason: 'length', tokens: 0 }

/** Cuts a message at its first stop sequence or at the token limit, never inside a grapheme. */
export function finishMessage(
  message: AssistantMessage,
  { n, stops, maxTokens }: Turn,
  reasoningTokens: number,
  { request, rules }: CallContext,
): FinishedMessage {
  if (reasoningTokens > 0 && reasoningTokens >= maxTokens) return NOTHING_SAID
  const maxCharacters = Math.floor(MAX_CHARACTERS / n)
  const limits = { maxTokens: Math.min(maxTokens - reasoningTokens, Math.floor(MAX_TOKENS / n)), maxCharacters }
  if (message.type === 'calls') return finishCalls(message, limits, request, rules.modelRule)
  let { text: whole } = message
  let finishReason: FinishedMessage['finishReason'] = 'stop'
  if (message.type === 'text') {
    finishReason = message.finishReason ?? 'stop'
    if (stops.length > 0) {
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

interface TruncatedText {
  readonly text: string
  readonly tokens: number
  readonly isWhole: boolean
}

function truncateText(whole: string, { maxTokens, maxCharacters }: MessageLimits, request: CallRequest): TruncatedText {
  const kept = whole.length <= maxCharacters ? whole : whole.slice(0, lastCut(whole, maxCharacters))
  const { length, tokens } = request.memo(`cut ${request.encoding} ${maxTokens}`, kept, () =>
    request.tokenizer.cut(kept, maxTokens),
  )
  if (length === kept.length) return { text: kept, tokens, isWhole: kept === whole }
  return { text: kept.slice(0, lastCut(kept, length)), tokens: maxTokens, isWhole: false }
}

/** The tokens of a call besides its name and arguments. Parallel calls have a wrapper. As recorded answers count. */
export const frameTokens = (calls: number): number => (calls > 1 ? 14 : 7)

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
  const cutOff = (used: number): FinishedMessage => {
    const message: AssistantMessage = kept.length === 0 ? { type: 'text', text: '' } : { type: 'calls', calls: kept }
    return { message, finishReason: 'length', tokens: used }
  }
  for (const call of calls) {
    const beginning = frame + request.tokenizer.count(call.name)
    if (tokens + beginning > maxTokens) return cutOff(maxTokens)
    tokens += beginning
    const input = truncateText(call.input, { maxTokens: maxTokens - tokens, maxCharacters }, request)
    kept.push({ ...call, input: input.text })
    tokens += input.tokens
    if (!input.isWhole) return cutOff(tokens)
  }
  // As recorded: a function that the request names ends an answer with `stop`, except on reasoning models.
  const { type } = calls[0]!
  const isStop = request.turn.tools.isNamed && (type === 'function_call' || modelRule?.reasoning !== true)
  const usual = isStop ? 'stop' : type === 'function_call' ? type : 'tool_calls'
  return { message: { type: 'calls', calls: kept }, finishReason: finishReason ?? usual, tokens }
}
