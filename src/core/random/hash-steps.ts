/** `hash32` of a long text in steps, for two seeds. */
import type { Steps } from '../work/steps.ts'
import { absorb, mix32 } from './hash.ts'

export interface TwoHashes {
  readonly low: number
  readonly high: number
}

const CHARACTERS_PER_STEP = 100_000
const CHARACTERS_PER_UNIT = 100

export function* hashInSteps(text: string, lowSeed: number, highSeed: number): Steps<TwoHashes> {
  let low = lowSeed | 0
  let high = highSeed | 0
  for (let start = 0; start < text.length; start += CHARACTERS_PER_STEP) {
    const end = Math.min(text.length, start + CHARACTERS_PER_STEP)
    for (let index = start; index < end; index++) {
      const code = text.charCodeAt(index)
      low = absorb(low, code)
      high = absorb(high, code)
    }
    if (end < text.length) yield CHARACTERS_PER_STEP / CHARACTERS_PER_UNIT
  }
  return { low: mix32(low ^ text.length), high: mix32(high ^ text.length) }
}
