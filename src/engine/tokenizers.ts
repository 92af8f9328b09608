/** Real tokenizers, loaded when first needed: their tables are megabytes, and a server that only fails needs none. */
import { MemoCache } from '../core/cache/memo-cache.ts'
import { boundedParts, type Encoding, type Piece, type Tokenizer } from '../core/tokenizer/tokenizer.ts'

/** What is used of a gpt-tokenizer encoding. */
interface EncodingModule {
  countTokens(text: string, options: object): number
  encode(text: string, options: object): number[]
}

/** The text of each token by its id; bytes where they are no whole characters, nothing where the id is no token. */
type Vocabulary = readonly (string | readonly number[] | undefined)[]

// Written out, so that bundlers see both imports and make chunks of them.
const imports: Record<Encoding, () => Promise<[EncodingModule, { readonly default: unknown }]>> = {
  o200k_base: () =>
    Promise.all([import('gpt-tokenizer/encoding/o200k_base'), import('gpt-tokenizer/bpeRanks/o200k_base')]),
  cl100k_base: () =>
    Promise.all([import('gpt-tokenizer/encoding/cl100k_base'), import('gpt-tokenizer/bpeRanks/cl100k_base')]),
}
const loaded = new Map<Encoding, Tokenizer>()
const loading = new Map<Encoding, Promise<void>>()

/** Whether an encoding can be used right now. */
export const isLoaded = (encoding: Encoding): boolean => loaded.has(encoding)

/** Loads an encoding; once. */
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

/** A loaded tokenizer. */
export function tokenizer(encoding: Encoding): Tokenizer {
  const found = loaded.get(encoding)
  if (found === undefined) throw new Error(`The encoding ${encoding} was used before it was loaded.`)
  return found
}

// A text that spells a special token is text like any other: without this the package throws.
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() }

function tokenizerOf(encoding: EncodingModule, vocabulary: Vocabulary): Tokenizer {
  const counts = new MemoCache<number>(2000, 500)
  const count = (text: string): number =>
    boundedParts(text).reduce((sum, part) => sum + encoding.countTokens(part, PLAIN_TEXT), 0)
  const encode = (text: string): number[] => boundedParts(text).flatMap((part) => encoding.encode(part, PLAIN_TEXT))
  return {
    // The echo counts what the prompt has counted.
    count: (text) => counts.of(text, () => count(text)),
    pieces: (text) => piecesOf(text, encode(text), vocabulary),
    decode: (tokens) => decode(tokens, vocabulary),
  }
}

// The package decodes with one shared decoder that remembers half a character from the call before, so a call's
// answer would depend on others. What it knows is in its vocabulary; the rest is done here.

/** The text in pieces that end where a token and a character end together. */
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

/** The text of token ids; an id that is no token has none. */
function decode(tokens: readonly number[], vocabulary: Vocabulary): string {
  const encoder = new TextEncoder()
  const bytes = tokens.flatMap((token) => {
    const entry = vocabulary[token] ?? []
    return typeof entry === 'string' ? [...encoder.encode(entry)] : entry
  })
  return new TextDecoder().decode(new Uint8Array(bytes))
}
