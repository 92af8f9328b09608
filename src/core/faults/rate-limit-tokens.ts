/** 429: too many tokens a minute. */
import { goDuration } from '../duration.ts'
import { apiError } from '../errors.ts'
import type { AnswerFault } from './fault.ts'

export const rateLimitTokens: AnswerFault = {
  kind: 'answer',
  name: 'rate-limit-tokens',
  summary: '429: too many tokens a minute.',
  options: { retryAfter: { kind: 'duration', default: 1000, summary: 'what retry-after and retry-after-ms say' } },
  answer: ({ model, organization }, { retryAfter = 1000 }) =>
    apiError('tokens-limit', {
      model,
      organization,
      unit: 'tokens per min (TPM)',
      limit: 200_000,
      used: 195_869,
      requested: 4_412,
      waitMs: retryAfter,
      waitText: goDuration(retryAfter),
    }),
}
