/**
 * Log probabilities: drawn from the seed, for the real tokens of the text; those of one position add up to at most 1.
 *
 * The chosen token has the probability 1 - 2^-k, and the i-th alternative at most 2^-(k+i). The logarithms are constants,
 * because Math.log of two engines may differ in the last bit.
 *
 * An entry with 20 alternatives takes 1.5 KB as JSON. So only what was drawn for it is stored, 80 bytes outside the heap,
 * and its JSON is built when it is sent.
 */

import type { Random } from '../../../lib/random/random.ts'
import { countUtf8 } from '../../../lib/text/utf8-size.ts'
import type { Piece } from '../../../lib/tokenizer/tokenizer.ts'
import type { Steps } from '../../../lib/work/steps.ts'
import type { TextParts } from '../../../protocol/plan/text-parts.ts'

// ln(1 - 2^-k) for k from 1; the first is -ln(2).
const SMALLER = [
  -0.2876821, -0.1335314, -0.0645385, -0.0317487, -0.0157484, -0.0078431, -0.0039139, -0.001955, -0.000977,
]
const CHOSEN = [-Math.LN2, ...SMALLER]
const { LN2 } = Math
const DIGITS = 1e7
const PLACES = 7
// Alternatives: frequent tokens of any text. More than the 20 that a request may ask for.
const OTHERS =
  ' the| a| and| to| of| is| in| that| it| for| with| on| as| this| be| are| by| at| or| an| not| can| you| I| we| but|,|.|!|?'.split(
    '|',
  )

const encoder = new TextEncoder()
const logprobText = (logprob: number): string => String(Math.round(logprob * DIGITS) / DIGITS)
const CHOSEN_TEXTS = CHOSEN.map(logprobText)

/** An alternative without its logprob, which is between the two texts. */
interface Alternative {
  readonly text: string
  readonly before: string
  readonly after: string
  readonly bytes: number
}

const ALTERNATIVES = OTHERS.map((text): Alternative => {
  const before = `,{"token":${JSON.stringify(text)},"logprob":`
  const after = `,"bytes":[${encoder.encode(text).join(',')}]}`
  return { text, before, after, bytes: before.length + after.length }
})

const FIELDS = '"token":,"logprob":,"bytes":[]'.length
const FRAME = '{,"top_logprobs":[]}'.length
const BRACES = '{}'.length

const TOKENS_PER_STEP = 1000
/** The units of work that drawing an entry takes. */
export const unitsPerToken = (top: number): number => 2 + top / 4

/** The JSON of `logprobs` in a choice or chunk, before and after its entries. */
export function logprobsFrame(isRefusal: boolean): readonly [string, string] {
  return isRefusal ? ['{"content":null,"refusal":[', ']}'] : ['{"content":[', '],"refusal":null}']
}

/** An entry for each token of a text, with its `top` most likely tokens; as parts, they are separated by commas. */
export class Logprobs implements TextParts {
  #byteLength = 0
  #isComplete = false
  readonly #top: number
  readonly #tokens: PackedTokens
  /** Which of CHOSEN each token has. */
  readonly #certainties: Uint8Array
  /** Where the alternatives of each token begin. */
  readonly #starts: Uint8Array
  /** The logprobs of the alternatives, as whole numbers of 10^-7. */
  readonly #others: Int32Array
  /** The size of the entries up to each token, without commas. */
  readonly #ends: Uint32Array

  private constructor(tokens: PackedTokens, top: number, maxBytes: number) {
    const { length } = tokens
    const others = Math.max(0, top - 1)
    this.#top = top
    this.#tokens = tokens
    this.#certainties = new Uint8Array(length)
    this.#starts = new Uint8Array(length)
    this.#others = new Int32Array(Math.min(length * others, maxBytes))
    this.#ends = new Uint32Array(length)
  }

  /**
   * Draws the entries.
   * @param maxBytes the size at which drawing stops, because the answer is too large then; `byteLength` is an estimate.
   */
  static *draw(pieces: readonly Piece[], top: number, random: Random, maxBytes: number): Steps<Logprobs> {
    const drawn = new Logprobs(yield* PackedTokens.pack(pieces), top, maxBytes)
    const { length } = drawn
    let bytes = 0
    let token = 0
    for (; token < length && bytes <= maxBytes; token++) {
      bytes += drawn.#draw(token, random)
      drawn.#ends[token] = bytes
      if (token % TOKENS_PER_STEP === TOKENS_PER_STEP - 1) yield TOKENS_PER_STEP * unitsPerToken(top)
    }
    drawn.#isComplete = token === length
    const commas = Math.max(0, length - 1)
    drawn.#byteLength = token < length ? Math.ceil((bytes * length) / token) + commas : bytes + commas
    return drawn
  }

  get byteLength(): number {
    return this.#byteLength
  }

  /** False when drawing stopped. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  get length(): number {
    return this.#tokens.length
  }

  /** Draws an entry and returns its size in bytes. */
  #draw(token: number, random: Random): number {
    const certainty = random.below(CHOSEN.length)
    this.#certainties[token] = certainty
    const { text, textBytes, listBytes } = this.#tokens.sizesAt(token)
    const fields = FIELDS + textBytes + CHOSEN_TEXTS[certainty]!.length + listBytes
    const top = this.#top
    if (top <= 1) return FRAME + fields * (1 + top) + BRACES * top
    const start = random.below(OTHERS.length)
    this.#starts[token] = start
    let bytes = FRAME + 2 * fields + BRACES
    let place = token * (top - 1)
    let index = start
    for (let rank = 1; rank < top; rank++) {
      if (ALTERNATIVES[index]!.text === text) index = nextOther(index)
      const logprob = Math.round((-LN2 * (certainty + 1 + rank) - random.fraction() / 4) * DIGITS)
      this.#others[place++] = logprob
      bytes += ALTERNATIVES[index]!.bytes + lengthOfLogprob(logprob)
      index = nextOther(index)
    }
    return bytes
  }

  /** The entry of a token. */
  #entry(token: number): string {
    const { text, bytes } = this.#tokens.at(token)
    const chosen = CHOSEN_TEXTS[this.#certainties[token]!]!
    const fields = `"token":${JSON.stringify(text)},"logprob":${chosen},"bytes":[${bytes.join(',')}]`
    const top = this.#top
    if (top === 0) return `{${fields},"top_logprobs":[]}`
    let entry = `{${fields},"top_logprobs":[{${fields}}`
    let index = this.#starts[token]!
    for (let place = token * (top - 1); place < (token + 1) * (top - 1); place++) {
      if (ALTERNATIVES[index]!.text === text) index = nextOther(index)
      const { before, after } = ALTERNATIVES[index]!
      entry += before + this.#others[place]! / DIGITS + after
      index = nextOther(index)
    }
    return `${entry}]}`
  }

  /** The entries of some tokens, as JSON separated by commas. */
  slice(from: number, to: number): string {
    const end = Math.min(to, this.length)
    let text = from < end ? this.#entry(from) : ''
    for (let token = from + 1; token < end; token++) text += `,${this.#entry(token)}`
    return text
  }

  /** The size of a slice in bytes. */
  sliceBytes(from: number, to: number): number {
    const end = Math.min(to, this.length)
    if (from >= end) return 0
    return this.#ends[end - 1]! - (from === 0 ? 0 : this.#ends[from - 1]!) + end - from - 1
  }

  *[Symbol.iterator](): Generator<string> {
    for (let token = 0; token < this.length; token++) yield token === 0 ? this.#entry(0) : `,${this.#entry(token)}`
  }
}

const nextOther = (index: number): number => (index + 1 === OTHERS.length ? 0 : index + 1)

/** How many characters a negative logprob takes, given as a whole number of 10^-7. */
export function lengthOfLogprob(logprob: number): number {
  let digits = -logprob
  const whole = Math.floor(digits / DIGITS)
  digits -= whole * DIGITS
  const before = whole < 10 ? 2 : 3
  if (digits === 0) return before
  let places = PLACES
  while (digits % 10 === 0) {
    digits /= 10
    places--
  }
  return before + 1 + places
}

/** The tokens of a text, in a few bytes each. */
class PackedTokens {
  readonly length: number
  readonly #text: string
  readonly #bytes: Uint8Array
  /** Where each token ends in the bytes. */
  readonly #byteEnds: Uint32Array
  /** Where the piece of each token ends in the text. */
  readonly #ends: Uint32Array
  /** 1 for a token that is only a part of a character. */
  readonly #isPart: Uint8Array

  private constructor(pieces: readonly Piece[]) {
    this.length = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
    this.#text = pieces.map(({ text }) => text).join('')
    this.#bytes = encoder.encode(this.#text)
    this.#byteEnds = new Uint32Array(this.length)
    this.#ends = new Uint32Array(this.length)
    this.#isPart = new Uint8Array(this.length)
  }

  static *pack(pieces: readonly Piece[]): Steps<PackedTokens> {
    const packed = new PackedTokens(pieces)
    yield* packed.#pack(pieces)
    return packed
  }

  *#pack(pieces: readonly Piece[]): Steps<void> {
    let token = 0
    let end = 0
    let byteEnd = 0
    for (const [index, { text, lengths }] of pieces.entries()) {
      end += text.length
      for (const length of lengths ?? [countUtf8(text)]) {
        byteEnd += length
        this.#byteEnds[token] = byteEnd
        this.#ends[token] = end
        this.#isPart[token++] = lengths === undefined ? 0 : 1
      }
      if (index % TOKENS_PER_STEP === TOKENS_PER_STEP - 1) yield TOKENS_PER_STEP
    }
  }

  /** A token. One that is only a part of a character is shown as its bytes, as the service does. */
  at(token: number): { readonly text: string; readonly bytes: Uint8Array } {
    const bytes = this.#bytes.subarray(token === 0 ? 0 : this.#byteEnds[token - 1]!, this.#byteEnds[token])
    if (this.#isPart[token] === 1) return { text: Array.from(bytes, byteText).join(''), bytes }
    return { text: this.#text.slice(token === 0 ? 0 : this.#ends[token - 1]!, this.#ends[token]), bytes }
  }

  /** The text of a token, and the sizes of its JSON and of the list of its bytes. */
  sizesAt(token: number): { readonly text: string; readonly textBytes: number; readonly listBytes: number } {
    const { text, bytes } = this.at(token)
    let listBytes = bytes.length - 1
    for (const byte of bytes) listBytes += byte < 10 ? 1 : byte < 100 ? 2 : 3
    return { text, textBytes: countUtf8(JSON.stringify(text)), listBytes }
  }
}

const byteText = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
