/** `when: { state: down }`: the state that the scenario is in. */
import { valueCondition } from './kinds/value.ts'

const STATES = 'the name of a state, or a list of them'

export const state = valueCondition({
  about: 'the state that the scenario is in',
  expected: STATES,
  schema: ({ names }) => names(STATES),
  accepts: (value) => typeof value === 'string',
  read: (facts) => facts.state,
})
