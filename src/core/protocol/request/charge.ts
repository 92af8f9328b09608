/**
 * The part of the limits that a call takes when it arrives, before its tokens are counted: that is how the service does it.
 *
 *     [{ role: 'user', content: 'Hello there!' }]  ->  { tokens: 5, images: 0 }
 *
 * The formulas fit recorded `x-ratelimit-remaining-tokens`. They go by the length of a body that has not been checked: a
 * value of the wrong type counts nothing.
 */

import { countUtf8 } from '../../lib/text/bytes.ts'
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import type { Turn } from '../turn/turn.ts'

/** The part of the limits that a call takes when it arrives, besides one request. */
export interface Charge {
  readonly tokens: number
  /** Images in the request, which the service counts apart. */
  readonly images: number
}

export const NO_CHARGE: Charge = { tokens: 0, images: 0 }

/** The charge of an image of any size, and of a file. Sound is free. */
const MEDIUM_TOKENS = 765

/**
 * The charge of messages: a quarter of the UTF-8 bytes of the texts, 1 for each message, and 1. Tools, schemas and
 * `max_tokens` add nothing.
 */
export function chargeOf(messages: readonly unknown[]): Charge {
  let bytes = 0
  let images = 0
  let files = 0
  for (const message of messages) {
    const content: unknown = isObject(message) ? message.content : undefined
    if (typeof content === 'string') bytes += countUtf8(content)
    else if (Array.isArray(content)) {
      for (const part of content) {
        if (!isObject(part)) continue
        const text = part.text ?? part.refusal
        if (typeof text === 'string') bytes += countUtf8(text)
        else if (part.type === 'image_url') images++
        else if (part.type === 'file') files++
      }
    }
  }
  return { tokens: Math.ceil(bytes / 4) + messages.length + 1 + MEDIUM_TOKENS * (images + files), images }
}

/** The charge of a body for embeddings: a quarter of the UTF-8 bytes of the inputs; an input of token numbers counts each of them. */
export function estimateInputs({ input }: JsonObject): Charge {
  let tokens = 0
  for (const item of Array.isArray(input) ? input : [input]) {
    if (typeof item === 'string') tokens += countUtf8(item) / 4
    else tokens += Array.isArray(item) ? item.length : 1
  }
  return { tokens: Math.max(1, Math.floor(tokens)), images: 0 }
}

const MAX_TOKENS = Number.MAX_SAFE_INTEGER

/** The tokens that a turn, which may not have been checked, allows for all its choices; 0 if it sets no maximum. */
export function maxAnswerTokens({ maxTokens, n }: Pick<Turn, 'maxTokens' | 'n'>): number {
  if (maxTokens === Number.POSITIVE_INFINITY) return 0
  // JSON may say 1e999, which is Infinity here.
  const bounded = (value: unknown): number =>
    typeof value === 'number' && value > 0 ? Math.min(Math.floor(value), MAX_TOKENS) : 0
  return Math.min(bounded(maxTokens) * Math.max(1, bounded(n)), MAX_TOKENS)
}
