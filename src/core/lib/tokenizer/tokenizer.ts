/** What the rest of the core needs of a tokenizer, and which encoding a model uses. */
import type { Steps } from '../work/steps.ts'

/** o200k_base is used by gpt-4o and later models, cl100k_base by older models and for embeddings. */
export type Encoding = 'o200k_base' | 'cl100k_base'

/** A piece of a text, and how many tokens it is. */
export interface Piece {
  readonly text: string
  readonly tokens: number
  /** The bytes of each token, where there is more than one. */
  readonly lengths?: readonly number[]
}

/** Is given where a piece ends in its text, and the bytes of each of its tokens; the list is used again for the next piece. */
export type VisitPiece = (end: number, lengths: readonly number[]) => void

/** The beginning of a text. */
export interface Beginning {
  readonly length: number
  readonly tokens: number
}

/** A text that spells a special token, such as `<|endoftext|>`, is text like any other. */
export interface Tokenizer {
  readonly encoding: Encoding
  count(text: string): number
  /** The same in steps, for a long text. */
  countInSteps(text: string): Steps<number>
  /** The longest beginning of a text that has at most so many tokens and no part of a character. */
  cut(text: string, maxTokens: number): Beginning
  /** The same in steps, for a long text. */
  cutInSteps(text: string, maxTokens: number): Steps<Beginning>
  /** Splits a text into the smallest runs of tokens that are whole characters. Most are one token. */
  pieces(text: string): Piece[]
  /** The same in steps, for a long text. */
  piecesInSteps(text: string): Steps<Piece[]>
  /** Visits the pieces one by one, without storing them. */
  walkInSteps(text: string, visit: VisitPiece): Steps<void>
  /** The text of token ids. An unknown id adds nothing; bytes that are not UTF-8 become U+FFFD. */
  decode(tokens: readonly number[]): string
}

const OLDER_MODELS = /^(?:gpt-4(?:-(?!o)|$)|gpt-3\.5|gpt-35|text-embedding-|ada|babbage|curie|davinci)/

/** The encoding of a model by its name; an unknown name uses o200k_base. */
export function encodingOf(model: string): Encoding {
  if (/^gpt-4(?:\.|o)/.test(model)) return 'o200k_base'
  return OLDER_MODELS.test(model) ? 'cl100k_base' : 'o200k_base'
}
