/**
 * Bursts: good and bad spells of time in turn, a two-state Markov chain in continuous time.
 *
 * The lengths of spells are drawn from the exponential distribution, each kind with its own mean. Any time must find
 * the same spell, whatever was asked before and however late it is. So time is cut into blocks, each as long as 32
 * good and 32 bad spells on average, and each drawn by itself from the name and its number. A block begins good or bad
 * with the chances of the long run, and as the distribution has no memory, the rest of a spell is drawn like a whole
 * one. Only at an edge of blocks may a spell end that would have gone on: about one in 64.
 */
import { Random } from '../../random/random.ts'

const PAIRS_A_BLOCK = 32

/** Whether a time, in milliseconds since the start, lies in a bad spell. */
export type Bursts = (elapsedMs: number) => boolean

/**
 * @param name the seed and the place of the rule, joined: equal names have equal spells.
 * @param goodMs the mean length of a good spell in milliseconds, above 0; `badMs` that of a bad one.
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
 * A draw from the exponential distribution with the mean 1, by comparisons alone: no logarithm, whose last digit an
 * engine may choose. A run of draws goes down for as long as chance lets it; its first draw counts if the run with the
 * draw that ended it is even, else a whole is added and a new run begun.
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
