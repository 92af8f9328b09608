/** Transforms the JSON of an assistant message, in its text or in the arguments of a call. */

import { parseJson } from '../../lib/text/json.ts'
import type { AssistantMessage } from '../plan/assistant-message.ts'

/** A text of a message that is JSON. */
export interface JsonText {
  readonly text: string
  readonly value: unknown
  /** The JSON Schema that it was made for; undefined without one. */
  readonly schema: unknown
}

/** Returns the changed text; undefined when there is nothing to change. */
type Transform = (json: JsonText) => string | undefined

/** The message with the first JSON that `transform` can change; undefined when it can change none. */
export function transformJson(message: AssistantMessage, transform: Transform): AssistantMessage | undefined {
  if (message.type === 'refusal') return undefined
  if (message.type === 'text') {
    const text = transformText(message.text, message.schema, transform)
    return text === undefined ? undefined : { ...message, text }
  }
  for (const [index, call] of message.calls.entries()) {
    const input = transformText(call.input, call.schema, transform)
    if (input !== undefined) return { type: 'calls', calls: message.calls.with(index, { ...call, input }) }
  }
  return undefined
}

/** The same for JSON that is an object or an array. */
export const transformStructure = (message: AssistantMessage, transform: Transform): AssistantMessage | undefined =>
  transformJson(message, (json) =>
    typeof json.value === 'object' && json.value !== null ? transform(json) : undefined,
  )

function transformText(text: string, schema: unknown, transform: Transform): string | undefined {
  const value = parseJson(text)
  return value === undefined ? undefined : transform({ text, value, schema })
}
