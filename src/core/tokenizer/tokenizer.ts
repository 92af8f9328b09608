/** Token counts: which encoding a model uses, and the prompt formula of the service. */

import { type JsonObject, textOf } from '../request/messages.ts'

/** The two encodings in use: o200k_base from gpt-4o on, cl100k_base before it and for embeddings. */
export type Encoding = 'o200k_base' | 'cl100k_base'

/** A piece of a text, and how many tokens it is. */
export interface Piece {
  readonly text: string
  readonly tokens: number
  /** The bytes of each token, where there is more than one. */
  readonly lengths?: readonly number[]
}

/** What the core needs of a tokenizer; the shell loads a real one when it is first needed. */
export interface Tokenizer {
  count(text: string): number
  /** The text in the smallest runs of tokens that are whole characters; most are one token. Joined they are the text. */
  pieces(text: string): Piece[]
  decode(tokens: readonly number[]): string
}

const OLDER_MODELS = /^(?:gpt-4(?:-(?!o)|$)|gpt-3\.5|gpt-35|text-embedding-|ada|babbage|curie|davinci)/

/** The encoding of a model by its name; names that are not the real service's use o200k_base. */
export function encodingOf(model: string): Encoding {
  if (/^gpt-4(?:\.|o)/.test(model)) return 'o200k_base'
  return OLDER_MODELS.test(model) ? 'cl100k_base' : 'o200k_base'
}

/**
 * Tokens of a prompt: 3 + for each message 3 + role + content (+ 1 + name), exact on the recorded plain-text calls.
 * Reasoning models wrap messages otherwise: one token less in all, two more for each assistant message (its channel).
 */
export function countPrompt(messages: readonly JsonObject[], tokenizer: Tokenizer, isReasoning: boolean): number {
  let tokens = isReasoning ? 2 : 3
  for (const { role, name, content } of messages) {
    tokens += 3 + tokenizer.count(String(role)) + tokenizer.count(textOf(content))
    if (typeof name === 'string') tokens += 1 + tokenizer.count(name)
    if (isReasoning && role === 'assistant') tokens += 2
  }
  return tokens
}

// Byte-pair merging is quadratic in the length of one unbroken run, so 100,000 times "a" would block for seconds.
const LONGEST_RUN = 256
const RUNS = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+/gu

/**
 * The text in parts that a byte-pair encoder takes in linear time: whole, unless it holds an unbroken run of over
 * 256 letters, spaces or signs; such a run is cut every 256 characters, and its count is then an estimate.
 */
export function boundedParts(text: string): string[] {
  if (text.length <= LONGEST_RUN) return [text]
  const parts: string[] = []
  let start = 0
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    for (let cut = index + LONGEST_RUN; cut < index + run.length; cut += LONGEST_RUN) {
      const unit = text.charCodeAt(cut)
      const place = unit >= 0xdc00 && unit <= 0xdfff ? cut + 1 : cut
      parts.push(text.slice(start, place))
      start = place
    }
  }
  parts.push(text.slice(start))
  return parts
}
