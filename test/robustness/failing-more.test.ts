/** A failure in any step of a call harms no later call: the kinds that `failing-steps.test.ts` leaves out. */
import { test } from 'vitest'
import { checkEveryStep } from './harm.ts'

const CASES = [
  ['a stream', 'over HTTP'],
  ['an unmatched chat', 'over HTTP'],
  ['embeddings', 'in process'],
  ['a long chat', 'over HTTP'],
  ['a long chat', 'in process'],
] as const

test.each(CASES)('every step of %s %s may fail once, and all later calls are unharmed', (name, transport) =>
  checkEveryStep(name, transport),
)
