/** 429: too many requests a minute. */
import { limitFault } from './limit-fault.ts'

export const rateLimit = limitFault({
  name: 'rate-limit',
  summary: '429: too many requests a minute.',
  error: 'requests-limit',
  unit: 'requests per min (RPM)',
  limit: 3,
  used: 3,
  requested: 1,
})
