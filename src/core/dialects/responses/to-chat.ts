/**
 * The chat request that asks for the same as a responses request. Both draw from its hashes, so both get the same answer.
 *
 *     { model: 'gpt-4o', input: 'Hello', max_output_tokens: 20, text: { verbosity: 'low' } }
 *     -> { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], max_completion_tokens: 20, verbosity: 'low' }
 */

import { isMissing, isObject, type JsonObject, objectsIn } from '../../lib/text/json.ts'
import { LOGPROBS } from './read-responses.ts'

/**
 * The chat, with its fields in the order of the request.
 * @param messages the conversation, that of earlier turns included.
 */
export function toChat(body: JsonObject, messages: readonly JsonObject[]): JsonObject {
  const fields = Object.entries(body).flatMap(([name, value]) => chatFields(name, value, messages))
  return Object.fromEntries(isMissing(body.input) ? [...fields, ['messages', messages]] : fields)
}

/** The fields of a chat that stand for a field of a responses request. Most have the same name. */
function chatFields(name: string, value: unknown, messages: readonly JsonObject[]): [string, unknown][] {
  if (isMissing(value)) return []
  switch (name) {
    case 'input':
      return [['messages', messages]]
    case 'instructions':
    case 'previous_response_id':
      return []
    case 'max_output_tokens':
      return [['max_completion_tokens', value]]
    case 'reasoning':
      return isObject(value) && !isMissing(value.effort) ? [['reasoning_effort', value.effort]] : []
    case 'include':
      return Array.isArray(value) && value.includes(LOGPROBS) ? [['logprobs', true]] : []
    case 'text': {
      const { format, verbosity } = isObject(value) ? value : {}
      const fields: [string, unknown][] = []
      if (isObject(format)) fields.push(['response_format', nest(format, 'json_schema')])
      if (!isMissing(verbosity)) fields.push(['verbosity', verbosity])
      return fields
    }
    case 'tools': {
      // A tool that does not say so is strict here, and not in a chat.
      const tools = objectsIn(value).map((tool) => ('strict' in tool ? tool : { ...tool, strict: true }))
      return [[name, tools.map((tool) => nest(tool, 'function'))]]
    }
    case 'tool_choice': {
      if (!isObject(value)) return [[name, value]]
      if (value.type !== 'allowed_tools') return [[name, nest(value, 'function')]]
      const { type, mode, tools } = value
      const allowed = { mode, tools: objectsIn(tools).map((tool) => nest(tool, 'function')) }
      return [[name, { type, allowed_tools: allowed }]]
    }
    default:
      return [[name, value]]
  }
}

/**
 * An object of one type with its other fields below the name of the type, as chat has them.
 * @example nest({ type: 'function', name: 'f' }, 'function') // { type: 'function', function: { name: 'f' } }
 */
function nest({ type, ...fields }: JsonObject, nested: string): JsonObject {
  const own = Object.entries(fields).filter(([, value]) => !isMissing(value))
  return type === nested ? { type, [nested]: Object.fromEntries(own) } : { type, ...fields }
}
