/** What the core needs of a tokenizer, and which encoding a model uses. */

/** o200k_base is used by gpt-4o and later models, cl100k_base by older models and for embeddings. */
export type Encoding = 'o200k_base' | 'cl100k_base'

/** A piece of a text, and how many tokens it is. */
export interface Piece {
  readonly text: string
  readonly tokens: number
  /** The bytes of each token, where there is more than one. */
  readonly lengths?: readonly number[]
}

/** The engine loads a real one on first use. */
export interface Tokenizer {
  count(text: string): number
  /** Splits a text into the smallest runs of tokens that are whole characters. Most are one token. */
  pieces(text: string): Piece[]
  decode(tokens: readonly number[]): string
}

const OLDER_MODELS = /^(?:gpt-4(?:-(?!o)|$)|gpt-3\.5|gpt-35|text-embedding-|ada|babbage|curie|davinci)/

/** The encoding of a model by its name; an unknown name uses o200k_base. */
export function encodingOf(model: string): Encoding {
  if (/^gpt-4(?:\.|o)/.test(model)) return 'o200k_base'
  return OLDER_MODELS.test(model) ? 'cl100k_base' : 'o200k_base'
}

// Byte-pair merging is quadratic in the length of one unbroken run, so 100,000 times "a" would block for seconds.
const MAX_RUN_LENGTH = 256
const RUNS = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+/gu

/**
 * The text in parts that a byte-pair encoder takes in linear time: whole, unless it holds an unbroken run of over
 * 256 letters, spaces or signs; such a run is cut every 256 characters, and its count is then an estimate.
 */
export function boundedParts(text: string): string[] {
  if (text.length <= MAX_RUN_LENGTH) return [text]
  const parts: string[] = []
  let start = 0
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    for (let cut = index + MAX_RUN_LENGTH; cut < index + run.length; cut += MAX_RUN_LENGTH) {
      const unit = text.charCodeAt(cut)
      const place = unit >= 0xdc00 && unit <= 0xdfff ? cut + 1 : cut
      parts.push(text.slice(start, place))
      start = place
    }
  }
  parts.push(text.slice(start))
  return parts
}
