/** What names and dates an answer. */
import { mix32 } from '../random/hash.ts'

export interface ResponseIds {
  /** `req_` and 32 letters of 0-9 and a-f. */
  readonly requestId: string
  /** What the service says its own work took: from 5 to 34. */
  readonly processingMs: number
  /** When the answer was made: a second of a year. */
  readonly second: number
  /** `chatcmpl-` and 29 letters of A-Z, a-z and 0-9. */
  readonly completionId: string
}

const SECONDS_OF_A_YEAR = 31_536_000
const LEAST_PROCESSING_MS = 5
const PROCESSING_RANGE_MS = 30

const HEX = codesOf('0123456789abcdef')
const ALPHANUMERIC = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')
// 2^32 over the golden ratio, as in Weyl sequences: the draws of names that are neighbours do not meet.
const STEP = 0x9e3779b9
// Written over by every call, as texts are quickest made from codes in one go.
const REQUEST_ID = codesOf(`req_${'0'.repeat(32)}`)
const COMPLETION_ID = codesOf(`chatcmpl-${'0'.repeat(29)}`)
const HEX_PER_DRAW = 8
// Of the 32 bits so much is left for the last of four letters that none comes more often; for a fifth it is not.
const ALPHANUMERIC_PER_DRAW = 4

/**
 * The identity that 64 bits name, given as two whole numbers in [0, 2^32). Draws are by number, without a generator to
 * set up, because every call pays for this: the n-th is a scramble of the bits and n.
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
    processingMs: LEAST_PROCESSING_MS + (draw() % PROCESSING_RANGE_MS),
    second: draw() % SECONDS_OF_A_YEAR,
    completionId,
  }
}

/** Fills a text from a place to its end with letters drawn from an alphabet, so many to a draw. */
function fill(codes: number[], from: number, alphabet: readonly number[], perDraw: number, draw: () => number): string {
  let rest = 0
  for (let place = from; place < codes.length; place++) {
    if ((place - from) % perDraw === 0) rest = draw()
    codes[place] = alphabet[rest % alphabet.length]!
    rest = Math.floor(rest / alphabet.length)
  }
  return String.fromCharCode.apply(null, codes)
}

function codesOf(text: string): number[] {
  return [...text].map((letter) => letter.charCodeAt(0))
}
