/**
 * Refuses the fields, tools, items and parts of the Responses API that this mock does not simulate, with a way out:
 *
 *     {"tools": [{"type": "web_search"}]}
 *     -> 400 "This mock does not simulate the hosted tool 'web_search'. Script its effect as a function tool, or ..."
 */

import { OTHER_FIELDS, OTHER_ITEMS, OTHER_PARTS, OTHER_TOOLS } from '../../../dialects/responses/response-fields.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'

// The service knows these types, and the mock does not simulate them.
const otherItems = new Set<unknown>(OTHER_ITEMS)
const otherTools = new Set<unknown>(OTHER_TOOLS)
const otherParts = new Set<unknown>(OTHER_PARTS)

const notMocked = (path: string, what: string, remedy: string): ApiError =>
  apiError('not-mocked', { path, what, remedy })
/** The way out for hosted tools and their items. */
const AS_FUNCTION = 'Script its effect as a function tool'
/** Ways out for fields. Any other field can only be left out. */
const REMEDIES: Readonly<Record<string, string>> = {
  background: 'Wait for the answer, or stream it',
  conversation: 'Send previous_response_id or the earlier items',
  prompt: 'Send its text as instructions and input',
}

/** The first field that this mock does not simulate. */
export function fieldNotSimulated(body: JsonObject): ApiError | undefined {
  for (const path of OTHER_FIELDS) {
    const value = body[path]
    const asksForNothing = isMissing(value) || value === false || (Array.isArray(value) && value.length === 0)
    if (asksForNothing) continue
    return notMocked(path, `the field '${path}'`, REMEDIES[path] ?? 'Leave it out')
  }
  return undefined
}

/** The first tool, item or part that this mock does not simulate. */
export const partNotSimulated = (body: JsonObject): ApiError | undefined => toolProblem(body) ?? itemProblem(body.input)

function toolProblem({ tools, tool_choice: choice }: JsonObject): ApiError | undefined {
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    if (!isObject(tool)) continue
    const { type, defer_loading: isLoadedLater } = tool
    if (type === 'custom') return notMocked(`tools[${index}].type`, 'custom tools', 'Declare a function tool')
    if (otherTools.has(type)) return notMocked(`tools[${index}].type`, `the hosted tool '${type}'`, AS_FUNCTION)
    if (type === 'function' && isLoadedLater === true)
      return notMocked(`tools[${index}].defer_loading`, 'tools that are loaded later', 'Leave out defer_loading')
  }
  // A `tool_choice` is a tool, or has a list of them.
  if (!isObject(choice)) return undefined
  const listed = objectsIn(choice.tools).map((tool, index) => [`tool_choice.tools[${index}]`, tool] as const)
  for (const [path, { type }] of [['tool_choice', choice] as const, ...listed])
    if (otherTools.has(type)) return notMocked(`${path}.type`, `the hosted tool '${type}'`, AS_FUNCTION)
  return undefined
}

function itemProblem(input: unknown): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    if (!isObject(item)) continue
    const { type } = item
    if (otherItems.has(type)) return notMocked(`input[${index}].type`, `items of the type '${type}'`, AS_FUNCTION)
    // The parts of reasoning are not read.
    if (type === 'reasoning') continue
    // The output of a function may have parts too.
    const field = item.output === undefined ? 'content' : 'output'
    const parts = item[field]
    if (!Array.isArray(parts)) continue
    for (const [place, part] of parts.entries()) {
      if (!isObject(part) || !otherParts.has(part.type)) continue
      const path = `input[${index}].${field}[${place}].type`
      return notMocked(path, `parts of the type '${part.type}'`, 'Send it as text')
    }
  }
  return undefined
}
