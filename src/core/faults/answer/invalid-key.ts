/** 401: the key is not accepted. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const invalidKey: AnswerFault = {
  kind: 'answer',
  name: 'invalid-key',
  summary: '401: the key is not accepted.',
  options: {},
  answer: ({ maskedKey }) => apiError('invalid-key', { maskedKey }),
}
