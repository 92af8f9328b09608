/** `when: { user: weather }`: the last user message. */
import { textCondition } from './kinds/text.ts'

export const user = textCondition('the last user message', (facts) => facts.user)
