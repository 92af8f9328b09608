/** The ids, the time and the processing time of a response, drawn from the seed. */
import { mix32 } from '../../lib/random/hash.ts'
import type { Random } from '../../lib/random/random.ts'

export interface ResponseIds {
  /** `req_` and 32 letters of 0-9 and a-f. */
  readonly requestId: string
  /** The place of the processing time among all such times, from 0 to 1. */
  readonly processingRank: number
  /** The second of the year in which the response was created. */
  readonly second: number
  /** `chatcmpl-` and 29 letters of A-Z, a-z and 0-9. */
  readonly completionId: string
  /** 16 letters of 0-9 and a-f, and the place of the edge that passed the call on. */
  readonly rayId: string
}

const SECONDS_OF_A_YEAR = 31_536_000

const HEX = codesOf('0123456789abcdef')
const ALPHANUMERIC = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')
// 2^32 divided by the golden ratio, as in Weyl sequences, so that the draws of neighbouring seeds do not overlap.
const STEP = 0x9e3779b9
// Overwritten by every call: building a string from an array of codes is the fastest way.
const REQUEST_ID = codesOf(`req_${'0'.repeat(32)}`)
const COMPLETION_ID = codesOf(`chatcmpl-${'0'.repeat(29)}`)
const RAY_ID = codesOf('0'.repeat(16))
const HEX_PER_DRAW = 8
// 32 bits are enough for four letters without a visible bias, not for five.
const ALPHANUMERIC_PER_DRAW = 4

/**
 * Draws the ids from 64 bits, given as two whole numbers in [0, 2^32). The n-th draw is a hash of the bits and n: every
 * call pays for this, and setting up a generator would cost more.
 */
export function drawResponseIds(low: number, high: number): ResponseIds {
  let state = low
  const draw = (): number => {
    state = (state + STEP) | 0
    return mix32(high ^ mix32(state))
  }
  const requestId = fill(REQUEST_ID, 'req_'.length, HEX, HEX_PER_DRAW, draw)
  const completionId = fill(COMPLETION_ID, 'chatcmpl-'.length, ALPHANUMERIC, ALPHANUMERIC_PER_DRAW, draw)
  return {
    requestId,
    processingRank: draw() / 2 ** 32,
    second: draw() % SECONDS_OF_A_YEAR,
    completionId,
    rayId: `${fill(RAY_ID, 0, HEX, HEX_PER_DRAW, draw)}-SJC`,
  }
}

/** Recorded processing times: the median, what each generated token adds, and the ends of the range as parts of the median. */
const PROCESSING = {
  whole: { medianMs: 620, perTokenMs: 13, least: 0.2, most: 2 },
  stream: { medianMs: 311, perTokenMs: 0, least: 0.35, most: 6.5 },
  embeddings: { medianMs: 88, perTokenMs: 0, least: 0.35, most: 5.3 },
  /** A refusal; an answer that is only looked up, too. */
  short: { medianMs: 16, perTokenMs: 0, least: 0.44, most: 2.25 },
}

/**
 * The processing time at a rank. The 5th and 95th percentiles are about the recorded ones. A cube makes long times rare:
 * unlike a logarithm, it is the same to the last digit in every engine.
 */
export function processingMs(kind: keyof typeof PROCESSING, rank: number, tokens: number): number {
  const { medianMs, perTokenMs, least, most } = PROCESSING[kind]
  const x = 2 * rank - 1
  return Math.round((medianMs + perTokenMs * tokens) * (1 + (x < 0 ? (1 - least) * x : (most - 1) * x * x * x)))
}

/** The id of a tool call. */
export const drawCallId = (random: Random): string => `call_${random.alphanumeric(24)}`

/** Fills a text from index `from` to its end with letters of an alphabet, `perDraw` letters to a draw. */
function fill(codes: number[], from: number, alphabet: readonly number[], perDraw: number, draw: () => number): string {
  let rest = 0
  for (let index = from; index < codes.length; index++) {
    if ((index - from) % perDraw === 0) rest = draw()
    // The quotient fits in 31 bits. The operators % and Math.floor of larger numbers take five times as long.
    const quotient = (rest / alphabet.length) | 0
    codes[index] = alphabet[rest - quotient * alphabet.length]!
    rest = quotient
  }
  return String.fromCharCode.apply(null, codes)
}

function codesOf(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
