/** The tokenizer of an encoding: splits a text into words, and each word that is not a token into tokens. */
import { MemoCache } from '../cache/memo-cache.ts'
import { MAX_BYTES_PER_UNIT } from '../text/utf8-size.ts'
import { finish, type Steps } from '../work/steps.ts'
import { encodeLongWord } from './long-word.ts'
import { mergePairs } from './merge.ts'
import { longWordEnds, wordEnds } from './split.ts'
import type { TokenTable } from './token-table.ts'
import type { Beginning, Encoding, Piece, Tokenizer, VisitPiece } from './tokenizer.ts'
import { byteLength, writeUtf8 } from './utf8.ts'

/** A longer word is encoded in parts, so that merging it takes little time and memory. */
const MAX_WORD_LENGTH = 4096
/** Where a word ends depends on at most so many characters after it. */
const LOOK_AHEAD = 8
/** The part of a text that one step looks at. A word that begins in its last `WINDOW` characters is left to the next step. */
const BLOCK = 5120
const WINDOW = MAX_WORD_LENGTH + LOOK_AHEAD

const bytes = new Uint8Array(MAX_WORD_LENGTH * MAX_BYTES_PER_UNIT)

type AddToken = (length: number) => void

export function createTokenizer(encoding: Encoding, table: TokenTable): Tokenizer {
  const wordEnd = wordEnds[encoding]
  const longWordEnd = longWordEnds[encoding]
  let encodedBytes = 0
  /**
   * Calls `add` with the length in bytes of each token of the words that begin before `last`. Returns where it stopped:
   * before `last` if a long word begins there.
   */
  const encodeWords = (text: string, last: number, add: AddToken): number => {
    let start = 0
    while (start < last) {
      const end = wordEnd(text, start)
      if (end - start > MAX_WORD_LENGTH) return start
      const length = writeUtf8(text, start, end, bytes)
      if (table.rankOf(bytes, 0, length) >= 0) add(length)
      else mergePairs(table, bytes, length, add)
      encodedBytes += length
      start = end
    }
    return start
  }
  /** Calls `add` with each token until `isEnough`, and perhaps with a few more. */
  function* encode(text: string, add: AddToken, isEnough: () => boolean): Steps<void> {
    for (let start = 0; start < text.length && !isEnough(); ) {
      const isRest = start + BLOCK >= text.length
      const block = text.slice(start, start + BLOCK)
      const last = isRest ? block.length : BLOCK - WINDOW
      encodedBytes = 0
      const stopped = encodeWords(block, last, add)
      start += stopped
      if (stopped < last) {
        const end = yield* longWordEnd(text, start)
        yield* encodeLongWord(table, text.slice(start, end), add, isEnough)
        start = end
      } else if (!isRest) yield encodedBytes
    }
  }
  /** Counts up to some number from `enough` on. */
  function* countInSteps(text: string, enough = Number.POSITIVE_INFINITY): Steps<number> {
    let tokens = 0
    yield* encode(
      text,
      () => tokens++,
      () => tokens >= enough,
    )
    return tokens
  }
  function* walkInSteps(text: string, visit: VisitPiece, enough = Number.POSITIVE_INFINITY): Steps<void> {
    const joiner = new PieceJoiner(text, visit)
    yield* encode(
      text,
      (length) => joiner.add(length),
      () => joiner.tokens >= enough,
    )
  }
  function* cutInSteps(text: string, maxTokens: number): Steps<Beginning> {
    // The tokens after these make no difference.
    const enough = maxTokens + 1
    const all = yield* countInSteps(text, enough)
    if (all <= maxTokens) return { length: text.length, tokens: all }
    let [length, tokens, isFull] = [0, 0, false]
    const visit: VisitPiece = (end, lengths) => {
      isFull ||= tokens + lengths.length > maxTokens
      if (isFull) return
      tokens += lengths.length
      length = end
    }
    yield* walkInSteps(text, visit, enough)
    return { length, tokens }
  }
  function* piecesInSteps(text: string): Steps<Piece[]> {
    const pieces: Piece[] = []
    let start = 0
    const visit: VisitPiece = (end, lengths) => {
      const piece = { text: text.slice(start, end), tokens: lengths.length }
      pieces.push(lengths.length === 1 ? piece : { ...piece, lengths: [...lengths] })
      start = end
    }
    yield* walkInSteps(text, visit)
    return pieces
  }
  const counts = new MemoCache<number>(2000, 500)
  // An echo counts the text of the prompt again, and tests repeat their texts.
  const count = (text: string): number => counts.of(text, () => finish(countInSteps(text)))
  return {
    encoding,
    count,
    countInSteps: (text) => countInSteps(text),
    cut(text, maxTokens) {
      const tokens = count(text)
      return tokens <= maxTokens ? { length: text.length, tokens } : finish(cutInSteps(text, maxTokens))
    },
    cutInSteps,
    pieces: (text) => finish(piecesInSteps(text)),
    piecesInSteps,
    walkInSteps,
    decode: (tokens) => decode(table, tokens),
  }
}

/** Joins tokens to pieces, each ending where a token and a character both end. */
class PieceJoiner {
  /** The tokens that the pieces are made of. */
  tokens = 0
  readonly #text: string
  readonly #visit: VisitPiece
  #end = 0
  readonly #lengths: number[] = []
  /** Bytes of tokens, less bytes of text up to `#end`. */
  #ahead = 0

  constructor(text: string, visit: VisitPiece) {
    this.#text = text
    this.#visit = visit
  }

  add(length: number): void {
    const text = this.#text
    this.#lengths.push(length)
    this.#ahead += length
    while (this.#ahead > 0) {
      if (text.charCodeAt(this.#end) < 0x80) {
        this.#ahead--
        this.#end++
        continue
      }
      const codePoint = text.codePointAt(this.#end)!
      const size = byteLength(codePoint)
      if (size > this.#ahead) return
      this.#ahead -= size
      this.#end += codePoint > 0xffff ? 2 : 1
    }
    this.#visit(this.#end, this.#lengths)
    this.tokens += this.#lengths.length
    this.#lengths.length = 0
  }
}

/** The text of token ids; an unknown id adds nothing. */
function decode(table: TokenTable, ids: readonly number[]): string {
  const tokens = ids.map((id) => table.bytesOf(id))
  const joined = new Uint8Array(tokens.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const token of tokens) {
    joined.set(token, end)
    end += token.length
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(joined)
}
