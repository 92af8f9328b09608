/** A failure in any step of a call harms no later call. `failing-more.test.ts` has more kinds of calls, and is slow. */
import { test } from 'vitest'
import { checkEveryStep } from './harm.ts'

const CASES = [
  ['an answer', 'over HTTP'],
  ['a stream', 'in process'],
] as const

test.each(CASES)('every step of %s %s may fail once, and all later calls are unharmed', (name, transport) =>
  checkEveryStep(name, transport),
)
