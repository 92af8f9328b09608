/** 400: the request is not valid. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const invalidRequest: AnswerFault = {
  kind: 'answer',
  name: 'invalid-request',
  summary: '400: the request is not valid.',
  options: {},
  answer: ({ endpoint }) =>
    endpoint === 'embeddings'
      ? apiError('invalid-input')
      : apiError('missing-content', { path: 'messages.[0].content', got: 'null' }),
}
