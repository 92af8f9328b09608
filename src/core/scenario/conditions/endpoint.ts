/** `when: { endpoint: chat }`: the endpoint that is called. */
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { valueCondition } from './kinds/value.ts'

export const endpoint = valueCondition({
  about: 'the endpoint',
  expected: MODEL_ENDPOINTS.join(' or '),
  schema: ({ oneOf }) => oneOf(MODEL_ENDPOINTS),
  accepts: (value) => (MODEL_ENDPOINTS as readonly unknown[]).includes(value),
  read: (facts): string => facts.endpoint,
})
