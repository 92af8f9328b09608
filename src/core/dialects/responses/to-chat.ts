/** The chat request that asks for the same as a responses request. Both draw from its hashes, so both get the same answer. */

import { isMissing, isObject, type JsonObject, objectsIn } from '../../lib/text/json.ts'
import { LOGPROBS } from './read-responses.ts'

type Fields = readonly (readonly [name: string, value: unknown])[]

/** The chat, with its fields in the order of the request. @param messages the conversation, that of earlier turns included. */
export function toChat(body: JsonObject, messages: readonly JsonObject[]): JsonObject {
  const fields = Object.entries(body).flatMap(([name, value]) => fieldsOf(name, value, messages))
  return Object.fromEntries(isMissing(body.input) ? [...fields, ['messages', messages]] : fields)
}

function fieldsOf(name: string, value: unknown, messages: readonly JsonObject[]): Fields {
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
      const asked = isObject(format) ? [['response_format', nest(format, 'json_schema')] as const] : []
      return isMissing(verbosity) ? asked : [...asked, ['verbosity', verbosity]]
    }
    case 'tools':
      // A tool that does not say so is strict here, and not in a chat.
      return [
        [
          'tools',
          objectsIn(value).map((tool) => nest('strict' in tool ? tool : { ...tool, strict: true }, 'function')),
        ],
      ]
    case 'tool_choice': {
      if (!isObject(value)) return [[name, value]]
      const { type, mode, tools } = value
      const allowed = { mode, tools: objectsIn(tools).map((tool) => nest(tool, 'function')) }
      return [[name, type === 'allowed_tools' ? { type, allowed_tools: allowed } : nest(value, 'function')]]
    }
    default:
      return [[name, value]]
  }
}

/** An object of one type with its other fields below the name of the type, as chat has them. */
function nest({ type, ...fields }: JsonObject, nested: string): JsonObject {
  const own = Object.entries(fields).filter(([, value]) => !isMissing(value))
  return type === nested ? { type, [nested]: Object.fromEntries(own) } : { type, ...fields }
}
