/** Makes the two rate limit faults: a 429 that says how long to wait. */

import { apiError } from '../../errors/catalogue.ts'
import { goDuration } from '../../text/duration.ts'
import { type Fault, faultWith } from '../fault.ts'

interface LimitFault {
  readonly name: string
  readonly summary: string
  readonly bareStatus?: number
  readonly error: 'requests-limit' | 'tokens-limit'
  /** What the limit counts, as the message names it. */
  readonly unit: string
  readonly limit: number
  readonly used: number
  readonly requested: number
}

export function limitFault({ name, summary, bareStatus, error, ...numbers }: LimitFault): Fault {
  return faultWith({
    kind: 'answer',
    name,
    summary,
    ...(bareStatus !== undefined && { bareStatus }),
    options: {
      retryAfter: { kind: 'duration', default: 1000, summary: 'the wait that retry-after and retry-after-ms give' },
    },
    answer: ({ model, organization, realMs }, { retryAfter }) => {
      const waitMs = realMs(retryAfter)
      return apiError(error, { model, organization, ...numbers, waitMs, waitText: goDuration(waitMs) })
    },
  })
}
