/** `when: { attempt: 1 }`: how often this key has sent this very request. */
import { numberCondition } from './kinds/value.ts'

export const attempt = numberCondition(
  'how often this key has sent the same request, this call included',
  (facts) => facts.attempt,
)
