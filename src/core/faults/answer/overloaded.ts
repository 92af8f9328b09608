/** 503: the model is overloaded. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const overloaded: AnswerFault = {
  kind: 'answer',
  name: 'overloaded',
  summary: '503: the model is overloaded.',
  options: {},
  answer: ({ requestId }) => apiError('overloaded', { requestId }),
}
