/** `hash32` of a long text in steps, for two seeds. */
import type { Steps } from '../work/steps.ts'
import { absorb, mix32 } from './hash.ts'

export interface TwoHashes {
  readonly low: number
  readonly high: number
}

const CHARACTERS_PER_STEP = 50_000
const CHARACTERS_PER_UNIT = 50

/** Hashes a text, given as its parts. */
export function* hashInSteps(parts: Iterable<string>, lowSeed: number, highSeed: number): Steps<TwoHashes> {
  let low = lowSeed | 0
  let high = highSeed | 0
  let length = 0
  for (const part of parts) {
    length += part.length
    for (let start = 0; start < part.length; start += CHARACTERS_PER_STEP) {
      const end = Math.min(part.length, start + CHARACTERS_PER_STEP)
      for (let index = start; index < end; index++) {
        const code = part.charCodeAt(index)
        low = absorb(low, code)
        high = absorb(high, code)
      }
      yield (end - start) / CHARACTERS_PER_UNIT
    }
  }
  return { low: mix32(low ^ length), high: mix32(high ^ length) }
}
