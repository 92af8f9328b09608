/**
 * Log probabilities: drawn from the seed, for the real tokens of the text; those of one position add up to at most 1.
 *
 * The chosen token has the probability 1 - 2^-k, and the i-th alternative at most 2^-(k+i). The logarithms are constants,
 * because Math.log of two engines may differ in the last bit.
 *
 * An entry with 20 alternatives takes 1.5 KB as JSON. So only what was drawn for it is stored, 80 bytes outside the heap,
 * and its JSON is built when it is sent.
 */

import type { Random } from '../../lib/random/random.ts'
import { countUtf8 } from '../../lib/text/bytes.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import type { TextParts } from '../plan/text-parts.ts'

// ln(1 - 2^-k) for k from 1; the first is -ln(2).
const SMALLER = [
  -0.2876821, -0.1335314, -0.0645385, -0.0317487, -0.0157484, -0.0078431, -0.0039139, -0.001955, -0.000977,
]
const CHOSEN = [-Math.LN2, ...SMALLER]
const { LN2 } = Math
const DIGITS = 1e7
// Alternatives: frequent tokens of any text. More than the 20 that a request may ask for.
const OTHERS =
  ' the| a| and| to| of| is| in| that| it| for| with| on| as| this| be| are| by| at| or| an| not| can| you| I| we| but|,|.|!|?'.split(
    '|',
  )

const encoder = new TextEncoder()
const CHOSEN_TEXTS = CHOSEN.map((logprob) => String(Math.round(logprob * DIGITS) / DIGITS))

/** A token with its JSON, and its bytes as a JSON array. */
interface TokenJson {
  readonly text: string
  readonly json: string
  readonly bytes: string
  /** The size of an entry of it in bytes, without its logprob. */
  readonly size: number
}

const FRAME = '{,"top_logprobs":[]}'.length

function jsonOf(text: string, utf8: Uint8Array): TokenJson {
  const json = JSON.stringify(text)
  const bytes = `[${utf8.join(',')}]`
  return { text, json, bytes, size: countUtf8(json) + bytes.length + '{"token":,"logprob":,"bytes":}'.length }
}
const ALTERNATIVES = OTHERS.map((text) => jsonOf(text, encoder.encode(text)))

/** The JSON of `logprobs` in a choice or chunk, before and after its entries. */
export function logprobsFrame(isRefusal: boolean): readonly [string, string] {
  return isRefusal ? ['{"content":null,"refusal":[', ']}'] : ['{"content":[', '],"refusal":null}']
}

/** The tokens of a text, in a few bytes each. */
interface PackedTokens {
  readonly text: string
  readonly bytes: Uint8Array
  /** The end of each token in the bytes. */
  readonly byteEnds: Uint32Array
  /** The end of the piece of each token in the text. */
  readonly ends: Uint32Array
  /** 1 for a token that is only a part of a character. */
  readonly isPart: Uint8Array
}

/** The logprobs of a text as they were drawn: plain data. */
export interface DrawnLogprobs {
  readonly tokens: PackedTokens
  /** Number of the most likely tokens that each entry lists. */
  readonly top: number
  /** The logprob of each token: an index into CHOSEN. */
  readonly certainties: Uint8Array
  /** The first alternative of each token. */
  readonly starts: Uint8Array
  /** The logprobs of the alternatives, as whole numbers of 10^-7. */
  readonly others: Int32Array
  /** The size of the entries up to each token, without commas. */
  readonly ends: Uint32Array
  /** The size of all entries, with commas; an estimate when drawing stopped. */
  readonly byteLength: number
  /** False when drawing stopped. */
  readonly isComplete: boolean
}

/**
 * Draws an entry for each token of a text.
 * @param maxBytes the size at which drawing stops, because the answer is too large then.
 */
export function drawLogprobs(pieces: readonly Piece[], top: number, random: Random, maxBytes: number): DrawnLogprobs {
  const tokens = packTokens(pieces)
  const { length } = tokens.ends
  const certainties = new Uint8Array(length)
  const starts = new Uint8Array(length)
  const others = new Int32Array(Math.min(length * Math.max(0, top - 1), maxBytes))
  const ends = new Uint32Array(length)
  let bytes = 0
  let token = 0
  for (let place = 0; token < length && bytes <= maxBytes; token++) {
    const certainty = random.below(CHOSEN.length)
    certainties[token] = certainty
    const { text, size } = tokenAt(tokens, token)
    const chosenBytes = size + CHOSEN_TEXTS[certainty]!.length
    bytes += chosenBytes - '{}'.length + FRAME + (top > 0 ? chosenBytes : 0)
    let index = top > 1 ? random.below(OTHERS.length) : 0
    starts[token] = index
    for (let rank = 1; rank < top; rank++) {
      if (ALTERNATIVES[index]!.text === text) index = nextOther(index)
      const logprob = Math.round((-LN2 * (certainty + 1 + rank) - random.fraction() / 4) * DIGITS)
      others[place++] = logprob
      bytes += ','.length + ALTERNATIVES[index]!.size + String(logprob / DIGITS).length
      index = nextOther(index)
    }
    ends[token] = bytes
  }
  const isComplete = token === length
  const byteLength = (isComplete ? bytes : Math.ceil((bytes * length) / token)) + Math.max(0, length - 1)
  return { tokens, top, certainties, starts, others, ends, byteLength, isComplete }
}

function packTokens(pieces: readonly Piece[]): PackedTokens {
  const length = pieces.reduce((sum, { tokens }) => sum + tokens, 0)
  const text = pieces.map((piece) => piece.text).join('')
  const byteEnds = new Uint32Array(length)
  const ends = new Uint32Array(length)
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
function tokenAt({ text, bytes: all, byteEnds, ends, isPart }: PackedTokens, token: number): TokenJson {
  const bytes = all.subarray(token === 0 ? 0 : byteEnds[token - 1]!, byteEnds[token])
  if (isPart[token] === 1) return jsonOf(Array.from(bytes, byteText).join(''), bytes)
  return jsonOf(text.slice(token === 0 ? 0 : ends[token - 1]!, ends[token]), bytes)
}

const byteText = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`

const nextOther = (index: number): number => (index + 1 === OTHERS.length ? 0 : index + 1)

/** The entry of a token as JSON. @param isBytesFirst true if the bytes of a token come before its logprob. */
function writeEntry(
  { tokens, top, certainties, starts, others }: DrawnLogprobs,
  token: number,
  isBytesFirst = false,
): string {
  const write = ({ json, bytes }: TokenJson, logprob: string | number): string =>
    isBytesFirst
      ? `"token":${json},"bytes":${bytes},"logprob":${logprob}`
      : `"token":${json},"logprob":${logprob},"bytes":${bytes}`
  const chosen = tokenAt(tokens, token)
  const fields = write(chosen, CHOSEN_TEXTS[certainties[token]!]!)
  if (top === 0) return `{${fields},"top_logprobs":[]}`
  let entry = `{${fields},"top_logprobs":[{${fields}}`
  let index = starts[token]!
  for (let place = token * (top - 1); place < (token + 1) * (top - 1); place++) {
    if (ALTERNATIVES[index]!.text === chosen.text) index = nextOther(index)
    entry += `,{${write(ALTERNATIVES[index]!, others[place]! / DIGITS)}}`
    index = nextOther(index)
  }
  return `${entry}]}`
}

/** The entries of a text as JSON; as parts, they are separated by commas. */
export class Logprobs implements TextParts {
  readonly byteLength: number
  readonly length: number
  readonly #drawn: DrawnLogprobs
  readonly #isBytesFirst: boolean

  constructor(drawn: DrawnLogprobs, isBytesFirst = false) {
    this.#drawn = drawn
    this.#isBytesFirst = isBytesFirst
    this.byteLength = drawn.byteLength
    this.length = drawn.ends.length
  }

  /** The same entries with the bytes before the logprob. */
  bytesFirst(): Logprobs {
    return new Logprobs(this.#drawn, true)
  }

  /** The entries of some tokens, as JSON separated by commas. */
  slice(from: number, to: number): string {
    const end = Math.min(to, this.length)
    let text = ''
    for (let token = from; token < end; token++) {
      text += (token === from ? '' : ',') + writeEntry(this.#drawn, token, this.#isBytesFirst)
    }
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
    for (let token = 0; token < this.length; token++) yield (token === 0 ? '' : ',') + this.slice(token, token + 1)
  }
}
