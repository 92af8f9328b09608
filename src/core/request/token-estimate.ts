/** What the service reserves of a token limit before it counts. */

import { isObject, type JsonObject } from '../text/json.ts'
import { textOf } from './messages.ts'
import type { Endpoint } from './route.ts'

/**
 * Tokens that a request may use, seen from its length alone. The formulas fit recorded `x-ratelimit-remaining-tokens`:
 * a chat is a quarter of its characters, 2, and for each choice what `max_tokens` allows; texts to embed are a quarter
 * of their characters. The request has not been checked yet: what is no text or no number counts nothing.
 */
export const estimateTokens: Readonly<Record<Endpoint, (body: JsonObject) => number>> = {
  chat: ofChat,
  embeddings: ({ input }) => ofInputs(input),
  models: () => 0,
}

function ofChat({ messages, max_completion_tokens, max_tokens, n }: JsonObject): number {
  let characters = 0
  for (const message of Array.isArray(messages) ? messages : []) {
    if (isObject(message)) characters += textOf(message.content).length
  }
  const reserved = wholeNumber(max_completion_tokens ?? max_tokens) * Math.max(1, wholeNumber(n))
  return Math.ceil(characters / 4) + 2 + Math.min(reserved, MOST)
}

function ofInputs(input: unknown): number {
  let tokens = 0
  for (const item of Array.isArray(input) ? input : [input]) {
    if (typeof item === 'string') tokens += item.length / 4
    else tokens += Array.isArray(item) ? item.length : 1
  }
  return Math.max(1, Math.floor(tokens))
}

const MOST = Number.MAX_SAFE_INTEGER

// JSON may say 1e999, which is Infinity here.
const wholeNumber = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), MOST) : 0
