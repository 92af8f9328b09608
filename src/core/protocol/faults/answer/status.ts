/** Any status from 400 to 599 in the error envelope; a bare status that belongs to another fault means that fault. */
import { apiError } from '../../errors/catalogue.ts'
import { faultWith } from '../fault.ts'
import { RETRY_AFTER, withRetryAfter } from './retry-after.ts'

export const status = faultWith({
  kind: 'answer',
  name: 'status',
  summary: 'Any status from 400 to 599, in the error envelope.',
  options: {
    status: { kind: 'status', default: 500, summary: 'the status of the response' },
    shouldRetry: { kind: 'choice', of: ['true', 'false'], summary: 'the value of the header x-should-retry' },
    retryAfter: RETRY_AFTER,
  },
  answer: (call, { status, shouldRetry, retryAfter }) =>
    withRetryAfter(apiError('status-on-demand', { status, shouldRetry }), call, retryAfter),
})
