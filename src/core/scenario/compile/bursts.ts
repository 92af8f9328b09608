/**
 * Bursts: alternating good and bad periods, a two-state Markov chain in continuous time.
 *
 * The lengths of periods are exponentially distributed, with one mean for good and one for bad periods. The result for a
 * time must not depend on earlier questions, and must be cheap after days. So time is divided into blocks of 32 good and
 * 32 bad periods on average, and each block is drawn from its number. A block starts good or bad with the long-run
 * probability. The distribution has no memory, so the rest of a period is drawn like a whole one. Only a period that
 * crosses the edge of a block, about one in 64, may end early.
 */
import { Random } from '../../lib/random/random.ts'

const PAIRS_A_BLOCK = 32

/** True for a time, in milliseconds since the start, in a bad period. */
export type Bursts = (elapsedMs: number) => boolean

/**
 * @param name the seed and the id of the rule: equal names give equal periods.
 * @param goodMs the mean length of a good period in milliseconds, above 0; `badMs` that of a bad one.
 */
export function compileBursts(
  name: string,
  { goodMs, badMs }: { readonly goodMs: number; readonly badMs: number },
): Bursts {
  const pairMs = goodMs + badMs
  const blockMs = PAIRS_A_BLOCK * pairMs
  return (elapsedMs) => {
    const block = Math.floor(elapsedMs / blockMs)
    const random = new Random(`${name}|${block}`)
    let isBad = random.fraction() * pairMs < badMs
    let endMs = block * blockMs
    for (;;) {
      endMs += exponential(random) * (isBad ? badMs : goodMs)
      if (elapsedMs < endMs) return isBad
      isBad = !isBad
    }
  }
}

/**
 * Draws from the exponential distribution with mean 1 by comparisons only: the last digit of a logarithm differs between
 * engines. Numbers are drawn as long as each is smaller than the one before. If the count of draws, with the one that
 * ended the run, is even, the first draw is the fraction; otherwise 1 is added and a new run starts.
 * J. von Neumann, Various techniques used in connection with random digits, 1951.
 */
function exponential(random: Random): number {
  for (let whole = 0; ; whole++) {
    const first = random.fraction()
    let length = 1
    for (let last = 2, next = first; next < last; length++) {
      last = next
      next = random.fraction()
    }
    if (length % 2 === 0) return whole + first
  }
}
