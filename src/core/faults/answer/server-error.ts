/** 500: the server had an error. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const serverError: AnswerFault = {
  kind: 'answer',
  name: 'server-error',
  summary: '500: the server had an error.',
  options: {},
  answer: ({ requestId }) => apiError('server-error', { requestId }),
}
