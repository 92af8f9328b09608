/** The responses endpoint: checks a body, and writes the reply to its turn as a response. */

import { answerJson, type EndpointDefinition } from '../call/respond.ts'
import { checkResponses, responsesNotes } from './checks/check-responses.ts'

export const responses: EndpointDefinition = {
  check: checkResponses,
  notes: responsesNotes,
  answer: (context) => ({ plan: answerJson(context, '{}', { by: 'echo', name: 'echo' }) }),
}
