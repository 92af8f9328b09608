/** Tokenizers, each loaded at the first call that needs it, because its tables are megabytes. */
import { MemoCache } from '../core/cache/memo-cache.ts'
import { boundedParts, type Encoding, type Piece, type Tokenizer } from '../core/tokenizer/tokenizer.ts'

/** What is used of a gpt-tokenizer encoding. */
interface EncodingModule {
  countTokens(text: string, options: object): number
  encode(text: string, options: object): number[]
}

/** The text of each token by its id: bytes if the token is not whole characters, undefined if the id has no token. */
type Vocabulary = readonly (string | readonly number[] | undefined)[]

// Bundlers make a chunk only of an import with a literal name.
const imports: Record<Encoding, () => Promise<[EncodingModule, { readonly default: unknown }]>> = {
  o200k_base: () =>
    Promise.all([import('gpt-tokenizer/encoding/o200k_base'), import('gpt-tokenizer/bpeRanks/o200k_base')]),
  cl100k_base: () =>
    Promise.all([import('gpt-tokenizer/encoding/cl100k_base'), import('gpt-tokenizer/bpeRanks/cl100k_base')]),
}
const loaded = new Map<Encoding, Tokenizer>()
const loading = new Map<Encoding, Promise<void>>()

/** Whether an encoding is loaded. */
export const isLoaded = (encoding: Encoding): boolean => loaded.has(encoding)

/** Loads an encoding, at most once. */
export function loadTokenizer(encoding: Encoding): Promise<void> {
  let promise = loading.get(encoding)
  if (promise === undefined) {
    promise = imports[encoding]().then(([module, ranks]) => {
      loaded.set(encoding, tokenizerOf(module, ranks.default as Vocabulary))
    })
    loading.set(encoding, promise)
  }
  return promise
}

/** A loaded tokenizer. @throws when its encoding is not loaded. */
export function tokenizer(encoding: Encoding): Tokenizer {
  const found = loaded.get(encoding)
  if (found === undefined)
    throw new Error(`The encoding ${encoding} was used before it was loaded: a bug in llm-api-mock.`)
  return found
}

// By default the package throws for a text that spells a special token.
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() }

function tokenizerOf(encoding: EncodingModule, vocabulary: Vocabulary): Tokenizer {
  const counts = new MemoCache<number>(2000, 500)
  const count = (text: string): number =>
    boundedParts(text).reduce((sum, part) => sum + encoding.countTokens(part, PLAIN_TEXT), 0)
  const encode = (text: string): number[] => boundedParts(text).flatMap((part) => encoding.encode(part, PLAIN_TEXT))
  return {
    // Cached, because an echo counts the text of the prompt again.
    count: (text) => counts.of(text, () => count(text)),
    pieces: (text) => piecesOf(text, encode(text), vocabulary),
    decode: (tokens) => decode(tokens, vocabulary),
  }
}

// The decoder of the package is shared and keeps half a character from one call to the next, so an answer would depend
// on other calls. Only its vocabulary is used here.

/** Splits a text into pieces, each ending where a token and a character both end. */
function piecesOf(text: string, tokens: readonly number[], vocabulary: Vocabulary): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let end = 0
  let lengths: number[] = []
  let ahead = 0 // bytes of tokens, less bytes of text up to `end`
  for (const token of tokens) {
    const length = byteLength(vocabulary[token])
    lengths.push(length)
    ahead += length
    while (ahead > 0) {
      const codePoint = text.codePointAt(end)!
      const bytes = bytesOf(codePoint)
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

function byteLength(entry: Vocabulary[number]): number {
  if (typeof entry !== 'string') return entry?.length ?? 0
  let bytes = 0
  for (const character of entry) bytes += bytesOf(character.codePointAt(0)!)
  return bytes
}

/** Bytes of a code point in UTF-8; a lone surrogate is written as U+FFFD, which has three. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

/** The text of token ids; an unknown id adds nothing. */
function decode(tokens: readonly number[], vocabulary: Vocabulary): string {
  const encoder = new TextEncoder()
  const bytes = tokens.flatMap((token) => {
    const entry = vocabulary[token] ?? []
    return typeof entry === 'string' ? [...encoder.encode(entry)] : entry
  })
  return new TextDecoder().decode(new Uint8Array(bytes))
}
