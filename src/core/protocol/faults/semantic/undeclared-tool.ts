/** A call to a tool that the request did not declare. */
import type { ToolCall } from '../../plan/assistant-message.ts'
import type { SemanticFault } from '../fault.ts'

const NAMES = ['search_web', 'run_code', 'send_email', 'read_file', 'get_current_time']

export const undeclaredTool: SemanticFault = {
  kind: 'semantic',
  name: 'undeclared-tool',
  summary: 'A call to a tool that the request did not declare.',
  options: {},
  endpoint: 'chat',
  needs: 'a chat completion',
  message: (message, { user, tools }, random) => {
    const unknown = NAMES.filter((name) => !tools.includes(name))
    const name = unknown.length === 0 ? `${tools[0]}_again` : unknown[random.below(unknown.length)]!
    if (message.type !== 'calls') {
      const call: ToolCall = { type: 'function', name, input: JSON.stringify({ query: user }) }
      return { type: 'calls', calls: [call] }
    }
    const [first, ...others] = message.calls
    return { type: 'calls', calls: [{ ...first!, name }, ...others] }
  },
}
