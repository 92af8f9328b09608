/** A model that makes the same tool calls again and again. */

import { isObject, type JsonObject, objectsIn } from '../../../../lib/text/json.ts'
import { toText } from '../../../../lib/text/to-text.ts'
import type { AssistantMessage, ToolCall } from '../../../plan/assistant-message.ts'
import { readTools, type Tool } from '../../../request/tools.ts'
import { faultWith } from '../../fault.ts'

export const toolLoop = faultWith({
  kind: 'semantic',
  name: 'tool-loop',
  summary: 'Makes the same tool calls again, turn after turn, whatever their result.',
  options: {
    turns: {
      kind: 'size',
      default: 30,
      summary: 'how many times the calls are made again for a user message; after that the answer is as usual',
    },
  },
  endpoint: 'chat',
  needs: 'a tool call in the answer, or an earlier one after the last user message, to a tool that the request allows',
  message: (message, { body }, _, { turns }): AssistantMessage | undefined => {
    const made = callMessages(body)
    if (made.length > turns) return message
    const calls = made.length === 0 ? undefined : readCalls(made.at(-1)!, readTools(body).allowed)
    if (calls !== undefined && calls.length > 0) return { type: 'calls', calls }
    return message.type === 'calls' ? message : undefined
  },
})

/** The messages with tool calls after the last user message. */
function callMessages(body: JsonObject): readonly JsonObject[] {
  const messages = objectsIn(body.messages)
  return messages
    .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    .filter(({ tool_calls, function_call }) => isObject(function_call) || objectsIn(tool_calls).length > 0)
}

/** The calls of a message to tools that are still allowed. */
function readCalls({ tool_calls, function_call }: JsonObject, allowed: readonly Tool[]): readonly ToolCall[] {
  const called = isObject(function_call)
    ? [function_call]
    : objectsIn(tool_calls).map((call) => call.function ?? call.custom)
  return called.filter(isObject).flatMap((call) => {
    const tool = allowed.find(({ name }) => name === call.name)
    if (tool === undefined) return []
    return [
      { type: tool.type, name: tool.name, input: toText(call.arguments ?? call.input ?? ''), schema: tool.schema },
    ]
  })
}
