/** 429: the quota is used up; no waiting mends it. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const quota: AnswerFault = {
  kind: 'answer',
  name: 'quota',
  summary: '429: the quota is used up; no waiting mends it.',
  options: {},
  answer: () => apiError('quota-exceeded'),
}
