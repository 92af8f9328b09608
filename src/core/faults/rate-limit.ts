/** 429: too many requests a minute. */
import { goDuration } from '../duration.ts'
import { apiError } from '../errors.ts'
import type { AnswerFault } from './fault.ts'

export const rateLimit: AnswerFault = {
  kind: 'answer',
  name: 'rate-limit',
  summary: '429: too many requests a minute.',
  options: { retryAfter: { kind: 'duration', default: 1000, summary: 'what retry-after and retry-after-ms say' } },
  answer: ({ model, organization }, { retryAfter = 1000 }) =>
    apiError('requests-limit', {
      model,
      organization,
      unit: 'requests per min (RPM)',
      limit: 3,
      used: 3,
      requested: 1,
      waitMs: retryAfter,
      waitText: goDuration(retryAfter),
    }),
}
