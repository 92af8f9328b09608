/** 429: too many tokens a minute. */
import { limitFault } from './limit-fault.ts'

export const rateLimitTokens = limitFault({
  name: 'rate-limit-tokens',
  summary: '429: too many tokens a minute.',
  error: 'tokens-limit',
  unit: 'tokens per min (TPM)',
  limit: 200_000,
  used: 195_869,
  requested: 4_412,
})
