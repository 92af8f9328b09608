/** `when: { earlierUser: weather }`: the user messages before the last one. */
import { earlierTextCondition } from './kinds/earlier-text.ts'

export const earlierUser = earlierTextCondition('a user message before the last one', (facts) => facts.earlier().users)
