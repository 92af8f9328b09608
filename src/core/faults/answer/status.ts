/** Any status from 400 to 599, in the error envelope; a status with a fault of its own is that fault. */
import { apiError } from '../../errors/catalogue.ts'
import { faultWith } from '../fault.ts'

export const status = faultWith({
  kind: 'answer',
  name: 'status',
  summary: 'Any status from 400 to 599, in the error envelope.',
  options: {
    status: { kind: 'status', default: 500, summary: 'the status to answer with' },
    shouldRetry: { kind: 'choice', of: ['true', 'false'], summary: 'what the header x-should-retry says' },
  },
  answer: (_, { status, shouldRetry }) => apiError('status-on-demand', { status, shouldRetry }),
})
