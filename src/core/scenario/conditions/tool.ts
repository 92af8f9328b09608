/** `when: { tool: get_weather }`: a tool that the request offers. */
import { nameCondition } from './kinds/name.ts'

export const tool: ReturnType<typeof nameCondition> = {
  ...nameCondition('a tool that the request offers', (facts) => facts.tools),
  isForChatOnly: () => true,
}
