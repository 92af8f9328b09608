/**
 * Reads the body of a responses call as a turn. Its items become messages in the form of chat:
 *
 *     [{ type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
 *      { type: 'function_call_output', call_id: 'call_1', output: 'done' }]
 *     -> [{ role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: {...} }] },
 *         { role: 'tool', tool_call_id: 'call_1', content: 'done' }]
 *
 * Only its own items are read: those of earlier responses are added by the state.
 */

import { isMissing, isObject, type JsonObject, objectsIn, toText } from '../../lib/text/json.ts'
import { type OutputFormat, PLAIN_TEXT, type Turn } from '../../protocol/turn/turn.ts'
import { readResponseTools } from '../read-tools.ts'

/** The value of `include` that asks for logprobs. */
export const LOGPROBS = 'message.output_text.logprobs'

/** The turn of a responses call. */
export function readResponses(body: JsonObject): Turn {
  const { instructions, include, reasoning, text, service_tier: tier, stream_options: streamOptions } = body
  const messages = readItems(inputItems(body.input))
  const asksForLogprobs = Array.isArray(include) && include.includes(LOGPROBS)
  const obfuscation = isObject(streamOptions) ? streamOptions.include_obfuscation : undefined
  return {
    model: body.model as string,
    messages: typeof instructions === 'string' ? [{ role: 'developer', content: instructions }, ...messages] : messages,
    tools: readResponseTools(body),
    n: 1,
    stops: [],
    maxTokens: (body.max_output_tokens ?? Number.POSITIVE_INFINITY) as number,
    isStream: body.stream === true,
    includeUsage: true,
    includeObfuscation: (obfuscation as boolean | null | undefined) ?? undefined,
    serviceTier: tier === 'priority' || tier === 'flex' ? tier : 'default',
    format: isObject(text) ? readFormat(text.format) : PLAIN_TEXT,
    effort: isObject(reasoning) ? ((reasoning.effort as string | null | undefined) ?? undefined) : undefined,
    topLogprobs: asksForLogprobs ? ((body.top_logprobs as number | null | undefined) ?? 0) : undefined,
    prediction: undefined,
    audioFormat: undefined,
  }
}

/** The items of an `input`: a text is one message of the user. */
export const inputItems = (input: unknown): readonly JsonObject[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : objectsIn(input)

/** The type of an item. One without a type is a message, or a reference if it has nothing but an id. */
export function itemType({ type, id, role, content }: JsonObject): unknown {
  if (!isMissing(type)) return type
  return typeof id === 'string' && role === undefined && content === undefined ? 'item_reference' : 'message'
}

/** The messages of items. Calls in a row become one message. Reasoning, and what is not simulated, is left out. */
export function readItems(items: readonly JsonObject[]): readonly JsonObject[] {
  const messages: JsonObject[] = []
  /** The calls of the last message, while the items are calls; undefined after any other item but reasoning. */
  let calls: JsonObject[] | undefined
  for (const item of items) {
    const { id, call_id: callId } = item
    const type = itemType(item)
    if (type === 'function_call') {
      if (calls === undefined) {
        calls = []
        messages.push({ role: 'assistant', content: null, tool_calls: calls })
      }
      calls.push({ id: callId, type: 'function', function: { name: item.name, arguments: item.arguments } })
      continue
    }
    if (type === 'reasoning') continue
    calls = undefined
    if (type === 'message') messages.push({ role: item.role, content: readContent(item.content) })
    else if (type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: callId, content: readContent(item.output) })
    else if (type === 'item_reference') messages.push({ role: 'item_reference', id })
  }
  return messages
}

const readContent = (content: unknown): unknown => (Array.isArray(content) ? content.map(readPart) : content)

/** A part in the form of chat; one of another type stays as it is. */
function readPart(part: unknown): unknown {
  if (!isObject(part)) return part
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part.text }
    case 'input_image':
      return { type: 'image_url', image_url: { url: part.image_url, detail: part.detail } }
    case 'input_file': {
      const { file_data, file_id, filename } = part
      return { type: 'file', file: { file_data, file_id, filename } }
    }
    default:
      return part
  }
}

function readFormat(value: unknown): OutputFormat {
  if (!isObject(value)) return PLAIN_TEXT
  if (value.type === 'json_object') return { type: 'json_object', name: '', schema: undefined }
  if (value.type !== 'json_schema') return PLAIN_TEXT
  return { type: 'json_schema', name: toText(value.name), schema: isMissing(value.schema) ? undefined : value.schema }
}
