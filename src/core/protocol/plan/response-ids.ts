/**
 * The ids, the time and the processing time of a response, drawn from the seed:
 *
 *     { requestId: 'req_4f1c...', completionId: 'chatcmpl-BxT9...', rayId: '9f2e...-SJC', second: 1234567, processingRank: 0.41 }
 */

import { ALPHANUMERIC, HEX, IdDraws } from '../../lib/random/hash.ts'
import type { Random } from '../../lib/random/random.ts'

export type ResponseIds = Readonly<ReturnType<typeof drawResponseIds>>

// Times come from the seed, not from a clock, so that the same call has the same bytes tomorrow: a second of 2025.
export const FIRST_SECOND_OF_2025 = 1_735_689_600
const SECONDS_OF_A_YEAR = 31_536_000

/**
 * Draws the ids from 64 bits, given as two whole numbers in [0, 2^32). The order of the draws is fixed: seeded output
 * depends on it.
 */
export function drawResponseIds(low: number, high: number) {
  const draws = new IdDraws(low, high)
  const requestId = `req_${draws.letters(HEX, 32)}`
  const completionId = `chatcmpl-${draws.letters(ALPHANUMERIC, 29)}`
  return {
    requestId,
    /** The place of the processing time among all such times, from 0 to 1. */
    processingRank: draws.next() / 2 ** 32,
    /** The second of the year in which the response was created. */
    second: draws.next() % SECONDS_OF_A_YEAR,
    completionId,
    /** The last part is the place of the edge that passed the call on. */
    rayId: `${draws.letters(HEX, 16)}-SJC`,
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
  /** From -1 for the shortest time to 1 for the longest. */
  const x = 2 * rank - 1
  const deviation = x < 0 ? (1 - least) * x : (most - 1) * x * x * x
  return Math.round((medianMs + perTokenMs * tokens) * (1 + deviation))
}

/** The id of a tool call. */
export const drawCallId = (random: Random): string => `call_${random.alphanumeric(24)}`
