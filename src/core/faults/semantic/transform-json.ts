/** Transforms the JSON of an assistant message, in its text or in the arguments of a call. */
import type { AssistantMessage } from '../../plan/assistant-message.ts'

/**
 * The message with the first text that `transform` can change; undefined when it can change none. `transform` gets each
 * text with the JSON Schema that it was made for, if there is one.
 */
export function transformJson(
  message: AssistantMessage,
  transform: (text: string, schema: unknown) => string | undefined,
): AssistantMessage | undefined {
  if (message.type === 'refusal') return undefined
  if (message.type === 'text') {
    const text = transform(message.text, message.schema)
    return text === undefined ? undefined : { ...message, text }
  }
  for (const [index, call] of message.calls.entries()) {
    const input = transform(call.input, call.schema)
    if (input !== undefined) return { type: 'calls', calls: message.calls.with(index, { ...call, input }) }
  }
  return undefined
}
