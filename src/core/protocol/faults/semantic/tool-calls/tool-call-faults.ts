/** The faults of tool calls, in the order of the docs. Those that change JSON also apply to an answer in JSON. */
import type { Fault, SemanticFault } from '../../fault.ts'
import { extraProperty, missingRequired, wrongType } from './schema-faults.ts'
import { syntaxFaults } from './syntax-faults.ts'
import { toolLoop } from './tool-loop.ts'
import { wrongToolCallId } from './wrong-tool-call-id.ts'

const duplicateToolCall: SemanticFault = {
  kind: 'semantic',
  name: 'duplicate-tool-call',
  summary: 'One tool call twice in an answer, with different ids; the calls after it move.',
  options: {},
  endpoint: 'chat',
  needs: 'a tool call in the answer (a function_call is always alone)',
  message: (message, _, random) => {
    if (message.type !== 'calls' || message.calls[0]!.type === 'function_call') return undefined
    const { calls } = message
    const index = random.below(calls.length)
    return { type: 'calls', calls: calls.toSpliced(index, 0, calls[index]!) }
  },
}

export const toolCallFaults: readonly Fault[] = [
  missingRequired,
  wrongType,
  extraProperty,
  ...syntaxFaults,
  duplicateToolCall,
  wrongToolCallId,
  toolLoop,
]
