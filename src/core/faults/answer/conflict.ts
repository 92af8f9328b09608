/** 409: another request got in between. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const conflict: AnswerFault = {
  kind: 'answer',
  name: 'conflict',
  summary: '409: another request got in between.',
  options: {},
  answer: () => apiError('conflict'),
}
