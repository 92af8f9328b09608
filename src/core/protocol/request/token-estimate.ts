/**
 * The tokens that the service reserves of a token limit before it counts them.
 *
 * The formulas fit recorded `x-ratelimit-remaining-tokens`. They go by the length of a body that has not been checked:
 * a value of the wrong type counts nothing.
 */

import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { contentText } from './messages.ts'

const MAX_TOKENS = Number.MAX_SAFE_INTEGER

/** A quarter of the characters, 2, and for each choice what `max_tokens` allows. */
export function estimateChatTokens({ messages, max_completion_tokens, max_tokens, n }: JsonObject): number {
  let characters = 0
  for (const message of Array.isArray(messages) ? messages : []) {
    if (isObject(message)) characters += contentText(message.content).length
  }
  const reserved = wholeNumber(max_completion_tokens ?? max_tokens) * Math.max(1, wholeNumber(n))
  return Math.ceil(characters / 4) + 2 + Math.min(reserved, MAX_TOKENS)
}

/** A quarter of the characters of the inputs; an input of token numbers counts each of them. */
export function estimateInputTokens({ input }: JsonObject): number {
  let tokens = 0
  for (const item of Array.isArray(input) ? input : [input]) {
    if (typeof item === 'string') tokens += item.length / 4
    else tokens += Array.isArray(item) ? item.length : 1
  }
  return Math.max(1, Math.floor(tokens))
}

// JSON may say 1e999, which is Infinity here.
const wholeNumber = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), MAX_TOKENS) : 0
