/** 404: the model does not exist. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const notFound: AnswerFault = {
  kind: 'answer',
  name: 'not-found',
  summary: '404: the model does not exist.',
  options: {},
  answer: ({ model }) => apiError('unknown-model', { model }),
}
