/** 400: the messages are longer than the context of the model. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const contextLength: AnswerFault = {
  kind: 'answer',
  name: 'context-length',
  summary: '400: the messages are longer than the context of the model.',
  options: {},
  answer: () => apiError('context-length', { limit: 8192, tokens: 9000 }),
}
