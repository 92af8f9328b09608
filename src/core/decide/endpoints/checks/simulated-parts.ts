/** Refuses what this mock does not simulate of the Responses API: fields, tools, items and parts. */

import { OTHER_FIELDS, OTHER_ITEMS, OTHER_PARTS, OTHER_TOOLS } from '../../../dialects/responses/response-fields.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'

const otherItems = new Set<unknown>(OTHER_ITEMS)
const otherTools = new Set<unknown>(OTHER_TOOLS)
const otherParts = new Set<unknown>(OTHER_PARTS)

const refuse = (path: string, what: string, remedy: string): ApiError => apiError('not-mocked', { path, what, remedy })
const AS_FUNCTION = 'Script its effect as a function tool'
/** Ways out for fields; the others can only be left out. */
const REMEDIES: Readonly<Record<string, string>> = {
  background: 'Wait for the answer, or stream it',
  conversation: 'Send previous_response_id or the earlier items',
  prompt: 'Send its text as instructions and input',
}

/** The first field that this mock does not simulate. */
export function fieldNotSimulated(body: JsonObject): ApiError | undefined {
  for (const path of OTHER_FIELDS) {
    const value = body[path]
    if (isMissing(value) || value === false || (Array.isArray(value) && value.length === 0)) continue
    return refuse(path, `the field '${path}'`, REMEDIES[path] ?? 'Leave it out')
  }
  return undefined
}

/** The first tool, item or part that this mock does not simulate. */
export const partNotSimulated = (body: JsonObject): ApiError | undefined =>
  toolProblem(body) ?? itemsProblem(body.input)

function toolProblem({ tools, tool_choice: choice }: JsonObject): ApiError | undefined {
  const all = Array.isArray(tools) ? tools : []
  for (const [index, tool] of all.entries()) {
    if (!isObject(tool)) continue
    const path = `tools[${index}]`
    const { type } = tool
    if (type === 'custom') return refuse(`${path}.type`, 'custom tools', 'Declare a function tool')
    if (otherTools.has(type)) return refuse(`${path}.type`, `the hosted tool '${type}'`, AS_FUNCTION)
    if (type === 'function' && tool.defer_loading === true)
      return refuse(`${path}.defer_loading`, 'tools that are loaded later', 'Leave out defer_loading')
  }
  if (!isObject(choice)) return undefined
  const chosen = [
    ['tool_choice', choice],
    ...objectsIn(choice.tools).map((tool, index) => [`tool_choice.tools[${index}]`, tool]),
  ]
  for (const [path, tool] of chosen as [string, JsonObject][])
    if (otherTools.has(tool.type)) return refuse(`${path}.type`, `the hosted tool '${tool.type}'`, AS_FUNCTION)
  return undefined
}

function itemsProblem(input: unknown): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    if (!isObject(item)) continue
    const { type, content, output } = item
    if (otherItems.has(type)) return refuse(`input[${index}].type`, `items of the type '${type}'`, AS_FUNCTION)
    if (type === 'reasoning') continue
    const [field, parts] = output === undefined ? ['content', content] : ['output', output]
    if (!Array.isArray(parts)) continue
    for (const [place, part] of parts.entries()) {
      if (isObject(part) && otherParts.has(part.type))
        return refuse(`input[${index}].${field}[${place}].type`, `parts of the type '${part.type}'`, 'Send it as text')
    }
  }
  return undefined
}
