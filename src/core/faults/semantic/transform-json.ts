/** Where the JSON of a speech stands: the one place that semantic faults of JSON go through. */
import type { AssistantMessage } from '../../plan/assistant-message.ts'

/**
 * The speech with the first of its texts bent in which `bend` finds something; undefined where it finds nothing. A text
 * comes with the JSON Schema it was made for; undefined without one.
 */
export function transformJson(
  speech: AssistantMessage,
  bend: (text: string, schema: unknown) => string | undefined,
): AssistantMessage | undefined {
  if (speech.type === 'refusal') return undefined
  if (speech.type === 'text') {
    const text = bend(speech.text, speech.schema)
    return text === undefined ? undefined : { ...speech, text }
  }
  for (const [index, call] of speech.calls.entries()) {
    const input = bend(call.input, call.schema)
    if (input !== undefined) return { type: 'calls', calls: speech.calls.with(index, { ...call, input }) }
  }
  return undefined
}
