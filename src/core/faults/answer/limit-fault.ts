/** What the two rate limits have in common: a 429 that says how long to wait. */

import { apiError } from '../../errors/catalogue.ts'
import { goDuration } from '../../text/duration.ts'
import { type Fault, faultWith } from '../fault.ts'

interface LimitFault {
  readonly name: string
  readonly summary: string
  readonly error: 'requests-limit' | 'tokens-limit'
  /** What the limit counts, as the message names it. */
  readonly unit: string
  readonly limit: number
  readonly used: number
  readonly requested: number
}

export function limitFault({ name, summary, error, ...numbers }: LimitFault): Fault {
  return faultWith({
    kind: 'answer',
    name,
    summary,
    options: { retryAfter: { kind: 'duration', default: 1000, summary: 'what retry-after and retry-after-ms say' } },
    answer: ({ model, organization, realMs }, { retryAfter }) => {
      const waitMs = realMs(retryAfter)
      return apiError(error, { model, organization, ...numbers, waitMs, waitText: goDuration(waitMs) })
    },
  })
}
