/** `when: { earlierToolResult: degrees }`: the results of tools before those that the chat ends with. */
import { earlierTextCondition } from './kinds/earlier-text.ts'

export const earlierToolResult = earlierTextCondition(
  "a tool's result before those at the end",
  (facts) => facts.earlier().toolResults,
)
