/** Ids of tool calls that clients cannot rely on. */

import type { Random } from '../../../../lib/random/random.ts'
import { type JsonObject, objectsIn } from '../../../../lib/text/json.ts'
import type { AssistantMessage, ToolCall } from '../../../plan/assistant-message.ts'
import { drawCallId } from '../../../plan/response-ids.ts'
import { faultWith } from '../../fault.ts'

type Calls = readonly ToolCall[]

export const wrongToolCallId = faultWith({
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
  endpoint: 'chat',
  needs:
    'a tool call; for a repeated id also an earlier call in the messages or a second one in the answer, and for a changing id a stream',
  message: (message, { body, stream }, random, { id }): AssistantMessage | undefined => {
    // A function_call has no id.
    if (message.type !== 'calls' || message.calls[0]!.type === 'function_call') return undefined
    if (id === 'repeated') return repeatId(message.calls, body, random)
    return stream ? changeId(message.calls, random) : undefined
  },
})

function repeatId(calls: Calls, body: JsonObject, random: Random): AssistantMessage | undefined {
  const earlier = lastId(body)
  if (earlier !== undefined) return { type: 'calls', calls: calls.with(0, { ...calls[0]!, id: earlier }) }
  if (calls.length < 2) return undefined
  const id = drawCallId(random)
  return { type: 'calls', calls: calls.map((call) => ({ ...call, id })) }
}

/** The id of the last tool call in the messages. */
function lastId({ messages }: JsonObject): string | undefined {
  const ids = objectsIn(messages).flatMap(({ tool_calls }) => objectsIn(tool_calls).map(({ id }) => id))
  return ids.findLast((id) => typeof id === 'string')
}

/** Only a call with an input has later chunks. */
function changeId(calls: Calls, random: Random): AssistantMessage | undefined {
  const index = calls.findIndex(({ input }) => input !== '')
  if (index < 0) return undefined
  return { type: 'calls', calls: calls.with(index, { ...calls[index]!, laterId: drawCallId(random) }) }
}
