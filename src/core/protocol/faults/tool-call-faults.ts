/** The faults of tool calls. Those that change the JSON of the arguments also apply to an answer in JSON. */

import { isObject, objectsIn, toText } from '../../lib/text/json.ts'
import { drawCallId } from '../plan/response-ids.ts'
import type { AssistantMessage, ToolCall } from '../turn/assistant-message.ts'
import { type Fault, faultWith, GENERATIONS, onMessage } from './fault.ts'
import { extraProperty, missingRequired, wrongType } from './json-schema-faults.ts'
import { jsonSyntaxFaults } from './json-syntax-faults.ts'

const UNDECLARED_NAMES = ['search_web', 'run_code', 'send_email', 'read_file', 'get_current_time']

export const undeclaredTool = onMessage(
  'undeclared-tool',
  'A call to a tool that the request did not declare.',
  'a chat completion',
  (message, { user, tools }, random) => {
    const names = UNDECLARED_NAMES.filter((name) => !tools.includes(name))
    const name = names.length === 0 ? `${tools[0]}_again` : names[random.below(names.length)]!
    if (message.type !== 'calls') {
      const call: ToolCall = { type: 'function', name, input: JSON.stringify({ query: user }) }
      return { type: 'calls', calls: [call] }
    }
    const [first, ...others] = message.calls
    return { type: 'calls', calls: [{ ...first!, name }, ...others] }
  },
)

const duplicateToolCall = onMessage(
  'duplicate-tool-call',
  'One tool call twice in an answer, with different ids; the calls after it move.',
  'a tool call in the answer (a function_call is always alone)',
  (message, _, random) => {
    if (message.type !== 'calls' || message.calls[0]!.type === 'function_call') return undefined
    const { calls } = message
    const index = random.below(calls.length)
    return { type: 'calls', calls: calls.toSpliced(index, 0, calls[index]!) }
  },
)

const wrongToolCallId = faultWith({
  kind: 'semantic',
  name: 'wrong-tool-call-id',
  summary: 'A tool call with the id of another call, or in a stream an id that changes after the first chunk.',
  options: {
    id: {
      kind: 'choice',
      of: ['repeated', 'changing'],
      default: 'repeated',
      summary:
        'repeated: the id of the last call in the messages, or one id for all calls of the answer; changing: later chunks have another id',
    },
  },
  endpoints: GENERATIONS,
  needs:
    'a tool call; for a repeated id also an earlier call in the messages or a second one in the answer, and for a changing id a stream',
  message: (message, { turn, stream }, random, { id }): AssistantMessage | undefined => {
    // A function_call has no id.
    if (message.type !== 'calls' || message.calls[0]!.type === 'function_call') return undefined
    const { calls } = message
    if (id === 'repeated') {
      const ids = turn.messages.flatMap(({ tool_calls }) => objectsIn(tool_calls).map(({ id }) => id))
      const earlierId = ids.findLast((earlier) => typeof earlier === 'string')
      if (earlierId !== undefined) return { type: 'calls', calls: calls.with(0, { ...calls[0]!, id: earlierId }) }
      if (calls.length < 2) return undefined
      const sameId = drawCallId(random)
      return { type: 'calls', calls: calls.map((call) => ({ ...call, id: sameId })) }
    }
    // Only a call with an input has later chunks.
    const index = stream ? calls.findIndex(({ input }) => input !== '') : -1
    if (index < 0) return undefined
    return { type: 'calls', calls: calls.with(index, { ...calls[index]!, laterId: drawCallId(random) }) }
  },
})

const toolLoop = faultWith({
  kind: 'semantic',
  name: 'tool-loop',
  summary: 'Makes the same tool calls again, turn after turn, whatever their result.',
  options: {
    turns: {
      kind: 'size',
      default: 30,
      summary: 'repetitions of the calls for a user message; after that the answer is as usual',
    },
  },
  endpoints: GENERATIONS,
  needs: 'a tool call in the answer, or an earlier one after the last user message, to a tool that the request allows',
  message: (message, { turn }, _, { turns }): AssistantMessage | undefined => {
    const afterUser = turn.messages.slice(turn.messages.findLastIndex(({ role }) => role === 'user') + 1)
    /** The calls of each message: the name of each tool, with its arguments or its input. */
    const called = afterUser
      .map(({ tool_calls, function_call }) =>
        isObject(function_call) ? [function_call] : objectsIn(tool_calls).map((call) => call.function ?? call.custom),
      )
      .filter((calls) => calls.length > 0)
    // The loop ends, so that an app without a limit ends too.
    if (called.length > turns) return message
    // The same calls again, to the tools that are still allowed.
    const calls = objectsIn(called.at(-1)).flatMap((call): ToolCall[] => {
      const tool = turn.tools.allowed.find(({ name }) => name === call.name)
      if (tool === undefined) return []
      const { type, name, schema } = tool
      return [{ type, name, input: toText(call.arguments ?? call.input ?? ''), schema }]
    })
    if (calls.length > 0) return { type: 'calls', calls }
    return message.type === 'calls' ? message : undefined
  },
})

/** The faults of tool calls but `undeclaredTool`, in the order of the docs. */
export const toolCallFaults: readonly Fault[] = [
  missingRequired,
  wrongType,
  extraProperty,
  ...jsonSyntaxFaults,
  duplicateToolCall,
  wrongToolCallId,
  toolLoop,
]
