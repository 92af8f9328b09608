/**
 * The tokenizers of the two encodings. A text is split into words, and a word that is not a token into several:
 *
 *     "mocked calls"  ->  the words "mocked", " calls"  ->  the tokens "mock", "ed", " calls"
 *
 * A token may end inside of a character, so a text can be cut only where a token and a character both end.
 */

import { MemoCache } from '../cache/bounded-maps.ts'
import { byteLength, concatBytes, MAX_BYTES_PER_UNIT } from '../text/bytes.ts'
import { mergePairs } from './merge-pairs.ts'
import { type Encoding, wordEnds } from './split-words.ts'
import { NO_RANK, type TokenTable } from './token-table.ts'

/** A piece of a text, and how many tokens it is. */
export interface Piece {
  readonly text: string
  readonly tokens: number
  /** The bytes of each token, where there is more than one. */
  readonly lengths?: readonly number[]
}

/** A tokenizer. A text that spells a special token, such as `<|endoftext|>`, is text like any other. */
export interface Tokenizer {
  readonly encoding: Encoding
  count(text: string): number
  /** The longest beginning of a text that has at most so many tokens and ends with a whole character. */
  cut(text: string, maxTokens: number): { readonly length: number; readonly tokens: number }
  /** Splits a text into the smallest runs of tokens that are whole characters. Most are one token. */
  pieces(text: string): Piece[]
  /**
   * Visits the pieces one by one, without storing them.
   * @param visit is given where a piece ends, and the bytes of each of its tokens in a list that is used again for the next piece.
   */
  walk(text: string, visit: (end: number, lengths: readonly number[]) => void): void
  /** The text of token ids. An unknown id adds nothing; bytes that are not UTF-8 become U+FFFD. */
  decode(tokens: readonly number[]): string
}

const OLDER_MODELS = /^(?:gpt-4(?:-(?!o)|$)|gpt-3\.5|gpt-35|text-embedding-|ada|babbage|curie|davinci)/

/** The encoding of a model by its name; an unknown name uses o200k_base. */
export const encodingOf = (model: string): Encoding => (OLDER_MODELS.test(model) ? 'cl100k_base' : 'o200k_base')

/** Characters of a word that is not long. */
const MAX_USUAL_LENGTH = 256
/** Room for the bytes of a word that is not long, which is used again for each word. */
const wordBytes = new Uint8Array(MAX_USUAL_LENGTH * MAX_BYTES_PER_UNIT)
const encoder = new TextEncoder()
/** The longest text whose count is cached, in characters. */
const MAX_CACHED_LENGTH = 500

export function createTokenizer(encoding: Encoding, table: TokenTable): Tokenizer {
  const wordEnd = wordEnds[encoding]

  /**
   * Calls `add` with the length in bytes of each token, and returns their number.
   * @param enough a number of tokens after which it stops, at the end of the word.
   */
  const encode = (text: string, add: (length: number) => void, enough = Number.POSITIVE_INFINITY): number => {
    let tokens = 0
    const addCounted = (length: number): void => {
      tokens++
      add(length)
    }
    for (let start = 0, end = 0; start < text.length && tokens < enough; start = end) {
      end = wordEnd(text, start)
      if (end - start <= MAX_USUAL_LENGTH) {
        const length = encoder.encodeInto(text.slice(start, end), wordBytes).written
        if (table.rankOf(wordBytes, 0, length) !== NO_RANK) addCounted(length)
        else mergePairs(table, wordBytes, length, addCounted)
      } else {
        const word = encoder.encode(text.slice(start, end))
        mergePairs(table, word, word.length, addCounted)
      }
    }
    return tokens
  }

  const walk = (text: string, visit: (end: number, lengths: readonly number[]) => void, enough?: number): void => {
    const lengths: number[] = []
    /** The end of the characters whose bytes are all in the tokens so far. */
    let end = 0
    /** Bytes of the tokens after `end`. */
    let ahead = 0
    const add = (length: number): void => {
      lengths.push(length)
      ahead += length
      // A piece ends where a token and a character both end.
      while (ahead > 0) {
        const codePoint = text.codePointAt(end)!
        const size = byteLength(codePoint)
        if (size > ahead) return
        ahead -= size
        end += codePoint > 0xffff ? 2 : 1
      }
      visit(end, lengths)
      lengths.length = 0
    }
    encode(text, add, enough)
  }

  const counts = new MemoCache<number>(2000, MAX_CACHED_LENGTH)
  const ignore = (): void => {}
  // An echo counts the text of the prompt again, and tests repeat their texts.
  const count = (text: string): number => counts.of(text, () => encode(text, ignore))

  return {
    encoding,
    count,
    cut(text, maxTokens) {
      // One token more shows that the text is too long.
      const enough = maxTokens + 1
      const counted = text.length <= MAX_CACHED_LENGTH ? count(text) : encode(text, ignore, enough)
      if (counted <= maxTokens) return { length: text.length, tokens: counted }
      let length = 0
      let tokens = 0
      let isFull = false
      const takePiece = (end: number, lengths: readonly number[]): void => {
        isFull ||= tokens + lengths.length > maxTokens
        if (isFull) return
        tokens += lengths.length
        length = end
      }
      walk(text, takePiece, enough)
      return { length, tokens }
    },
    pieces(text) {
      const pieces: Piece[] = []
      let start = 0
      walk(text, (end, lengths) => {
        const piece = { text: text.slice(start, end), tokens: lengths.length }
        pieces.push(lengths.length === 1 ? piece : { ...piece, lengths: [...lengths] })
        start = end
      })
      return pieces
    },
    walk,
    decode(ids) {
      const bytes = concatBytes(ids.map((id) => table.bytesOf(id)))
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    },
  }
}
