/** `when: { turn: 2 }`: how many user messages the chat has. */
import { numberCondition } from './kinds/value.ts'

export const turn = numberCondition('the number of user messages so far', (facts) => facts.userMessageCount)
