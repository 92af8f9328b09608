/** `when: { stream: true }`: whether the call asks for a stream. */
import { valueCondition } from './kinds/value.ts'

export const stream = valueCondition({
  about: 'whether the call asks for a stream',
  expected: 'true or false',
  schema: ({ flag }) => flag(),
  accepts: (value) => typeof value === 'boolean',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  read: (facts) => facts.stream,
})
