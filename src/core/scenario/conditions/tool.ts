/** `when: { tool: get_weather }`: a tool that the request offers. */
import { nameCondition } from './kinds/name.ts'

export const tool = nameCondition('a tool that the request offers', (facts) => facts.tools)
