/** 403: the region is not served. */
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerFault } from '../fault.ts'

export const forbiddenRegion: AnswerFault = {
  kind: 'answer',
  name: 'forbidden-region',
  summary: '403: the region is not served.',
  options: {},
  answer: () => apiError('forbidden-region'),
}
