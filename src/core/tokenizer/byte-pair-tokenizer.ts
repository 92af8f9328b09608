/** The tokenizer of an encoding: splits a text into words, and each word that is not a token into tokens. */
import { MemoCache } from '../cache/memo-cache.ts'
import { mergePairs } from './merge.ts'
import type { WordEnd } from './split.ts'
import type { TokenTable } from './token-table.ts'
import type { Piece, Tokenizer } from './tokenizer.ts'
import { byteLength, writeUtf8 } from './utf8.ts'

const MAX_BYTES_PER_UNIT = 3
/** The bytes of words up to this length are written to the same place. */
const MAX_KEPT_LENGTH = 256

const kept = new Uint8Array(MAX_KEPT_LENGTH * MAX_BYTES_PER_UNIT)

export function createTokenizer(table: TokenTable, wordEnd: WordEnd): Tokenizer {
  /** Calls `add` with the length of each token of a text, in bytes. */
  const encode = (text: string, add: (length: number) => void): void => {
    for (let start = 0; start < text.length; ) {
      const end = wordEnd(text, start)
      const units = end - start
      const bytes = units > MAX_KEPT_LENGTH ? new Uint8Array(units * MAX_BYTES_PER_UNIT) : kept
      const length = writeUtf8(text, start, end, bytes)
      if (table.rankOf(bytes, 0, length) >= 0) add(length)
      else mergePairs(table, bytes, length, add)
      start = end
    }
  }
  const count = (text: string): number => {
    let tokens = 0
    encode(text, () => tokens++)
    return tokens
  }
  const counts = new MemoCache<number>(2000, 500)
  return {
    // An echo counts the text of the prompt again, and tests repeat their texts.
    count: (text) => counts.of(text, () => count(text)),
    pieces(text) {
      const lengths: number[] = []
      encode(text, (length) => lengths.push(length))
      return joinToCharacters(text, lengths)
    },
    decode: (tokens) => decode(table, tokens),
  }
}

/** Splits a text into pieces, each ending where a token and a character both end. */
function joinToCharacters(text: string, tokenLengths: readonly number[]): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let end = 0
  let lengths: number[] = []
  let ahead = 0 // bytes of tokens, less bytes of text up to `end`
  for (const length of tokenLengths) {
    lengths.push(length)
    ahead += length
    while (ahead > 0) {
      const codePoint = text.codePointAt(end)!
      const bytes = byteLength(codePoint)
      if (bytes > ahead) break
      ahead -= bytes
      end += codePoint > 0xffff ? 2 : 1
    }
    if (ahead > 0) continue
    const piece = { text: text.slice(start, end), tokens: lengths.length }
    pieces.push(lengths.length === 1 ? piece : { ...piece, lengths })
    start = end
    lengths = []
  }
  return pieces
}

/** The text of token ids; an unknown id adds nothing. */
function decode(table: TokenTable, ids: readonly number[]): string {
  const tokens = ids.map((id) => table.bytesOf(id))
  const bytes = new Uint8Array(tokens.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const token of tokens) {
    bytes.set(token, end)
    end += token.length
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
