/** 422: the request is well formed and still can't be processed. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const unprocessable: AnswerFault = {
  kind: 'answer',
  name: 'unprocessable',
  summary: "422: the request is well formed and still can't be processed.",
  options: {},
  answer: () => apiError('unprocessable'),
}
