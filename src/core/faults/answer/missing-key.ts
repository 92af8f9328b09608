/** 401: as if the call had no key. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const missingKey: AnswerFault = {
  kind: 'answer',
  name: 'missing-key',
  summary: '401: as if the call had no key.',
  options: {},
  answer: () => apiError('missing-key'),
}
