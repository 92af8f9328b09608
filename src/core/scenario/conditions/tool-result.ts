/** `when: { toolResult: degrees }`: the results of tools that a chat ends with. */
import { textCondition } from './kinds/text.ts'

export const toolResult = textCondition("the last message, if it is a tool's result", (facts) => facts.toolResult, true)
