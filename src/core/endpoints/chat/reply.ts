/** What is said: the first speaker that has something to say, then cut as the request asks. */

import type { CallContext } from '../../call/call-context.ts'
import type { AssistantMessage, TextMessage, ToolCall } from '../../plan/assistant-message.ts'
import { lastCut } from '../../text/graphemes.ts'
import type { Tokenizer } from '../../tokenizer/tokenizer.ts'
import { frameTokens } from './call-tokens.ts'
import type { ChatRequest } from './request.ts'
import { echo } from './responders/echo.ts'
import { forcedCall } from './responders/forced-tool-call.ts'
import type { Responder, Response } from './responders/responder.ts'
import { scripted } from './responders/scripted.ts'
import { structured } from './responders/structured-output.ts'

/** What goes out: cut by `stop` and `max_tokens`, with its tokens counted. */
export interface Reply {
  readonly speech: AssistantMessage
  readonly finishReason: 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter'
  readonly tokens: number
}

const speakers: readonly Responder[] = [scripted, forcedCall, structured]

export function say(context: CallContext, request: ChatRequest): Response {
  for (const speak of speakers) {
    const said = speak(context, request)
    if (said !== undefined) return said
  }
  return echo(context)
}

/** How an answer is cut: after so many tokens each, and a text at the first of the stop sequences too. */
export interface Bounds {
  readonly stops: readonly string[]
  readonly most: number
  readonly mostCharacters: number
}

// A model's largest answer today has 128,000 tokens. Without an end, a small request could ask for gigabytes.
const MAX_TOKENS = 128_000
const MAX_CHARACTERS = 1_000_000

/** The bounds of each choice: what the request asks, within what all choices may have. */
export function boundsOf({ n, stops, maxTokens }: ChatRequest, reasoningTokens: number): Bounds {
  return {
    stops,
    most: Math.min(maxTokens - reasoningTokens, Math.floor(MAX_TOKENS / n)),
    mostCharacters: Math.floor(MAX_CHARACTERS / n),
  }
}

/** Cuts a speech; never inside what a reader sees as one character. */
export function trim(speech: AssistantMessage, bounds: Bounds, tokenizer: Tokenizer): Reply {
  if (speech.type === 'calls') return trimCalls(speech.calls, bounds, tokenizer)
  const whole = speech.type === 'text' ? beforeStop(speech.text, bounds.stops) : speech.text
  const { text, tokens, isWhole } = cutText(whole, bounds.most, bounds.mostCharacters, tokenizer)
  const finishReason = isWhole ? (finishOf(speech) ?? 'stop') : 'length'
  // Most texts go out as they are, and a copy for each call is worth sparing.
  return { speech: text === speech.text ? speech : { ...speech, text }, finishReason, tokens }
}

const finishOf = (speech: Exclude<AssistantMessage, { type: 'calls' }>): TextMessage['finishReason'] =>
  speech.type === 'text' ? speech.finishReason : undefined

interface Cut {
  readonly text: string
  readonly tokens: number
  readonly isWhole: boolean
}

function cutText(whole: string, most: number, mostCharacters: number, tokenizer: Tokenizer): Cut {
  const kept = whole.slice(0, lastCut(whole, mostCharacters))
  const tokens = tokenizer.count(kept)
  if (tokens <= most) return { text: kept, tokens, isWhole: kept === whole }
  let length = 0
  let written = 0
  for (const piece of tokenizer.pieces(kept)) {
    written += piece.tokens
    if (written > most) break
    length += piece.text.length
  }
  return { text: kept.slice(0, lastCut(kept, length)), tokens: most, isWhole: false }
}

/** The calls that fit, the last of them perhaps with half its arguments; with no room for a name there is no call. */
function trimCalls(calls: readonly ToolCall[], { most, mostCharacters }: Bounds, tokenizer: Tokenizer): Reply {
  const kept: ToolCall[] = []
  const frame = frameTokens(calls.length)
  let tokens = 0
  for (const call of calls) {
    const beginning = frame + tokenizer.count(call.name)
    if (tokens + beginning > most) return lengthReply(kept, most)
    tokens += beginning
    const input = cutText(call.input, most - tokens, mostCharacters, tokenizer)
    kept.push({ ...call, input: input.text })
    tokens += input.tokens
    if (!input.isWhole) return lengthReply(kept, tokens)
  }
  const finishReason = calls[0]!.type === 'function_call' ? 'function_call' : 'tool_calls'
  return { speech: { type: 'calls', calls: kept }, finishReason, tokens }
}

function lengthReply(calls: readonly ToolCall[], tokens: number): Reply {
  const speech: AssistantMessage = calls.length === 0 ? { type: 'text', text: '' } : { type: 'calls', calls }
  return { speech, finishReason: 'length', tokens }
}

function beforeStop(text: string, stops: readonly string[]): string {
  if (stops.length === 0) return text
  const places = stops.map((stop) => text.indexOf(stop)).filter((place) => place >= 0)
  return places.length === 0 ? text : text.slice(0, Math.min(...places))
}
