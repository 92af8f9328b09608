/** `when: { model: gpt-4* }`: the model that the call asks for. */
import { nameCondition } from './kinds/name.ts'

export const model = nameCondition('the model of the request', (facts) => [facts.model])
