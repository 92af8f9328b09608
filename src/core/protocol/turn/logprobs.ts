/**
 * Log probabilities: drawn from the seed, for the real tokens of the text; those of one position add up to at most 1.
 * An entry with two alternatives, of which the first is the token itself:
 *
 *     {"token":"Hi","logprob":-0.0317487,"bytes":[72,105],"top_logprobs":[
 *       {"token":"Hi","logprob":-0.0317487,"bytes":[72,105]},
 *       {"token":" of","logprob":-4.3011562,"bytes":[32,111,102]}]}
 *
 * The chosen token has the probability 1 - 2^-k, and the i-th alternative at most 2^-(k+i). The logarithms are constants,
 * because Math.log of two engines may differ in the last bit.
 *
 * An entry with 20 alternatives takes 1.5 KB as JSON. So `drawLogprobs` stores only what was drawn for it, 80 bytes outside
 * the heap, and the size of its JSON. `Logprobs` builds the JSON when it is sent.
 */

import type { Random } from '../../lib/random/random.ts'
import { countUtf8 } from '../../lib/text/bytes.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import type { TextParts } from '../plan/text-parts.ts'

/** Logprobs are whole numbers of 10^-7. */
const SCALE = 1e7

/** The logprobs of a chosen token: ln(1 - 2^-k) for k from 1. */
// biome-ignore format: a list
const CHOSEN = [
  -Math.LN2, -0.2876821, -0.1335314, -0.0645385, -0.0317487, -0.0157484, -0.0078431, -0.0039139, -0.001955, -0.000977,
]
const CHOSEN_TEXTS = CHOSEN.map((logprob) => String(Math.round(logprob * SCALE) / SCALE))

const FREQUENT_TOKENS =
  ' the| a| and| to| of| is| in| that| it| for| with| on| as| this| be| are| by| at| or| an| not| can| you| I| we| but|,|.|!|?'

const encoder = new TextEncoder()

/**
 * Alternatives: frequent tokens of any text, more than the 20 that a request may ask for. Each has its JSON before the logprob
 * and the list of its bytes, which come in either order.
 */
const ALTERNATIVES = FREQUENT_TOKENS.split('|').map((text) => {
  const start = `,{"token":${JSON.stringify(text)}`
  const byteList = `,"bytes":[${encoder.encode(text).join(',')}]`
  // The size of the JSON without the digits of the logprob.
  const byteLength = start.length + byteList.length + ',"logprob":}'.length
  return { text, start, byteList, byteLength }
})

const nextAlternative = (index: number): number => (index + 1 === ALTERNATIVES.length ? 0 : index + 1)

/** The alternative at an index, or the next one if it is the token itself. */
const alternativeTo = (text: string, index: number): number =>
  ALTERNATIVES[index]!.text === text ? nextAlternative(index) : index

/** The JSON of `logprobs` in a choice or chunk, before and after its entries. */
export function logprobsFrame(isRefusal: boolean): readonly [string, string] {
  return isRefusal ? ['{"content":null,"refusal":[', ']}'] : ['{"content":[', '],"refusal":null}']
}

/** The logprobs of a text as they were drawn: plain data. */
export type DrawnLogprobs = Readonly<ReturnType<typeof drawLogprobs>>

/**
 * Draws an entry for each token of a text.
 * @param top the number of the most likely tokens that each entry lists.
 * @param maxBytes the size at which drawing stops, because the answer is too large then.
 */
export function drawLogprobs(pieces: readonly Piece[], top: number, random: Random, maxBytes: number) {
  const tokens = packTokens(pieces)
  const { length } = tokens.ends
  /** The logprob of each token: an index into CHOSEN. */
  const certainties = new Uint8Array(length)
  /** The first alternative of each token: an index into ALTERNATIVES, whose next ones follow in a circle. */
  const starts = new Uint8Array(length)
  /** The logprobs of the alternatives of all tokens, one after the other, as whole numbers of 10^-7. */
  const others = new Int32Array(Math.min(length * Math.max(0, top - 1), maxBytes))
  /** The size of the entries up to the end of each token, in bytes, without commas. */
  const ends = new Uint32Array(length)
  let size = 0
  let token = 0
  for (let drawn = 0; token < length && size <= maxBytes; token++) {
    const certainty = random.below(CHOSEN.length)
    certainties[token] = certainty
    const { text, bytes } = tokenAt(tokens, token)
    const fields = sizeOfFields(text, bytes, CHOSEN_TEXTS[certainty]!)
    size += '{,"top_logprobs":[]}'.length + fields
    // The first of the most likely tokens is the token itself.
    if (top > 0) size += '{}'.length + fields
    if (top > 1) {
      let index = random.below(ALTERNATIVES.length)
      starts[token] = index
      for (let rank = 1; rank < top; rank++) {
        index = alternativeTo(text, index)
        const logprob = Math.round((-Math.LN2 * (certainty + 1 + rank) - random.fraction() / 4) * SCALE)
        others[drawn++] = logprob
        size += ALTERNATIVES[index]!.byteLength + lengthOfLogprob(logprob)
        index = nextAlternative(index)
      }
    }
    ends[token] = size
  }
  // False when drawing stopped. Then the size of all entries is an estimate.
  const isComplete = token === length
  const commas = Math.max(0, length - 1)
  const byteLength = commas + (isComplete ? size : Math.ceil((size * length) / token))
  return { tokens, top, certainties, starts, others, ends, byteLength, isComplete }
}

/** The size of `"token":"Hi","logprob":-0.0317487,"bytes":[72,105]`. */
function sizeOfFields(text: string, bytes: Uint8Array, logprob: string): number {
  const commas = bytes.length - 1
  let size = '"token":,"logprob":,"bytes":[]'.length + countUtf8(JSON.stringify(text)) + logprob.length + commas
  for (const byte of bytes) size += byte < 10 ? 1 : byte < 100 ? 2 : 3
  return size
}

/**
 * The number of characters of a negative logprob as JSON, given as a whole number of 10^-7: 8 for -2876800, which is -0.28768.
 * To write all 200,000 of the largest answer would take 30 ms more.
 */
export function lengthOfLogprob(logprob: number): number {
  let digits = -logprob
  const whole = Math.floor(digits / SCALE)
  digits -= whole * SCALE
  const signAndWhole = whole < 10 ? 2 : 3
  if (digits === 0) return signAndWhole
  let places = 7
  while (digits % 10 === 0) {
    digits /= 10
    places--
  }
  return signAndWhole + '.'.length + places
}

type PackedTokens = Readonly<ReturnType<typeof packTokens>>

/** The tokens of a text, in a few bytes each. A piece is one token, or several that only together are characters. */
function packTokens(pieces: readonly Piece[]) {
  const length = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
  const text = pieces.map((piece) => piece.text).join('')
  /** The end of each token in the bytes. */
  const byteEnds = new Uint32Array(length)
  /** The end of the piece of each token in the text. */
  const ends = new Uint32Array(length)
  /** 1 for a token that is only a part of a character. */
  const isPart = new Uint8Array(length)
  let token = 0
  let end = 0
  let byteEnd = 0
  for (const piece of pieces) {
    end += piece.text.length
    for (const size of piece.lengths ?? [countUtf8(piece.text)]) {
      byteEnd += size
      byteEnds[token] = byteEnd
      ends[token] = end
      isPart[token++] = piece.lengths === undefined ? 0 : 1
    }
  }
  return { text, bytes: encoder.encode(text), byteEnds, ends, isPart }
}

/** A token. One that is only a part of a character is shown as its bytes, as the service does. */
function tokenAt({ text, bytes: all, byteEnds, ends, isPart }: PackedTokens, token: number) {
  const bytes = all.subarray(token === 0 ? 0 : byteEnds[token - 1]!, byteEnds[token])
  if (isPart[token] === 1) return { text: Array.from(bytes, byteText).join(''), bytes }
  return { text: text.slice(token === 0 ? 0 : ends[token - 1]!, ends[token]), bytes }
}

const byteText = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`

/** The entries of a text as JSON; as parts, they are separated by commas. */
export class Logprobs implements TextParts {
  readonly byteLength: number
  readonly length: number
  readonly #drawn: DrawnLogprobs
  readonly #isBytesFirst: boolean

  /** @param isBytesFirst true if the bytes of a token come before its logprob. */
  constructor(drawn: DrawnLogprobs, isBytesFirst = false) {
    this.#drawn = drawn
    this.#isBytesFirst = isBytesFirst
    this.byteLength = drawn.byteLength
    this.length = drawn.ends.length
  }

  /** The same entries with the bytes before the logprob, as a response has them. */
  bytesFirst(): Logprobs {
    return new Logprobs(this.#drawn, true)
  }

  /** The entry of a token. */
  #entry(token: number): string {
    const { tokens, top, certainties, starts, others } = this.#drawn
    const { text, bytes } = tokenAt(tokens, token)
    const chosen = CHOSEN_TEXTS[certainties[token]!]!
    const fields = `"token":${JSON.stringify(text)}${this.#inOrder(chosen, `,"bytes":[${bytes.join(',')}]`)}`
    if (top === 0) return `{${fields},"top_logprobs":[]}`
    let entry = `{${fields},"top_logprobs":[{${fields}}`
    let index = starts[token]!
    const first = token * (top - 1)
    for (let drawn = first; drawn < first + top - 1; drawn++) {
      index = alternativeTo(text, index)
      const { start, byteList } = ALTERNATIVES[index]!
      entry += `${start}${this.#inOrder(others[drawn]! / SCALE, byteList)}}`
      index = nextAlternative(index)
    }
    return `${entry}]}`
  }

  #inOrder(logprob: string | number, byteList: string): string {
    return this.#isBytesFirst ? `${byteList},"logprob":${logprob}` : `,"logprob":${logprob}${byteList}`
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
    const { ends } = this.#drawn
    const end = Math.min(to, this.length)
    if (from >= end) return 0
    return ends[end - 1]! - (from === 0 ? 0 : ends[from - 1]!) + end - from - 1
  }

  *[Symbol.iterator](): Generator<string> {
    for (let token = 0; token < this.length; token++) yield token === 0 ? this.#entry(0) : `,${this.#entry(token)}`
  }
}
