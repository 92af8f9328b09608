/** Real tokenizers, loaded when first needed: their tables are megabytes, and a server that only fails needs none. */
import { boundedParts, type Encoding, type Piece, type Tokenizer } from '../core/tokens.ts'

/** What is used of a gpt-tokenizer encoding. */
interface EncodingModule {
  countTokens(text: string, options: object): number
  encode(text: string, options: object): number[]
  decode(tokens: Iterable<number>): string
  decodeGenerator(tokens: Iterable<number>): Iterable<string>
  readonly vocabularySize: number
}

// Written out, so that bundlers see both imports and make chunks of them.
const imports: Record<Encoding, () => Promise<EncodingModule>> = {
  o200k_base: () => import('gpt-tokenizer/encoding/o200k_base'),
  cl100k_base: () => import('gpt-tokenizer/encoding/cl100k_base'),
}
const loaded = new Map<Encoding, Tokenizer>()
const loading = new Map<Encoding, Promise<void>>()

/** Whether an encoding can be used right now. */
export const isLoaded = (encoding: Encoding): boolean => loaded.has(encoding)

/** Loads an encoding; once. */
export function loadTokenizer(encoding: Encoding): Promise<void> {
  let promise = loading.get(encoding)
  if (promise === undefined) {
    promise = imports[encoding]().then((module) => void loaded.set(encoding, tokenizerOf(module)))
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

function tokenizerOf(encoding: EncodingModule): Tokenizer {
  const encode = (text: string): number[] => boundedParts(text).flatMap((part) => encoding.encode(part, PLAIN_TEXT))
  return {
    count: remembered((text) =>
      boundedParts(text).reduce((sum, part) => sum + encoding.countTokens(part, PLAIN_TEXT), 0),
    ),
    pieces: (text) => piecesOf(text, encode(text), encoding),
    // An id beyond the vocabulary is no text; the rest of the input still is.
    decode: (tokens) => encoding.decode(tokens.filter((token) => token < encoding.vocabularySize)),
  }
}

/** Decodes token by token: the decoder hands out text whenever what it took makes whole characters. */
function piecesOf(text: string, tokens: readonly number[], encoding: EncodingModule): Piece[] {
  let taken = 0
  function* counted(): Generator<number> {
    for (const token of tokens) {
      taken++
      yield token
    }
  }
  const pieces: Piece[] = []
  let place = 0
  let before = 0
  for (const { length } of encoding.decodeGenerator(counted())) {
    if (length === 0) continue
    // Out of the text itself: a lone surrogate has no bytes of its own and would come back as another character.
    pieces.push({ text: text.slice(place, place + length), tokens: taken - before })
    place += length
    before = taken
  }
  return pieces
}

// Roles, names and the texts of a test suite come again and again, and the echo counts what the prompt has counted.
const MOST_REMEMBERED = 2000
const LONGEST_REMEMBERED = 500

function remembered(count: (text: string) => number): (text: string) => number {
  let counts = new Map<string, number>()
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return count(text)
    const known = counts.get(text)
    if (known !== undefined) return known
    // Forgetting all at once costs nothing per call, and what is in use is soon back.
    if (counts.size >= MOST_REMEMBERED) counts = new Map()
    const tokens = count(text)
    counts.set(text, tokens)
    return tokens
  }
}
