/**
 * Reads the tools of a body that has not been checked, and which of them may or must be called.
 *
 *     { tools: [{ type: 'function', function: { name: 'f' } }, { type: 'function', function: { name: 'g' } }],
 *       tool_choice: { type: 'function', function: { name: 'f' } } }
 *     -> { declared: [f, g], allowed: [f], isForced: true, isNamed: true, isParallel: true }
 */

import { isObject, type JsonObject, objectsIn, toText } from '../lib/text/json.ts'
import { NO_TOOLS, type Tool, type Tools, type ToolType } from '../protocol/turn/turn.ts'

/** The tools of a chat: `tools`, or the deprecated `functions`. */
export function readChatTools(body: JsonObject): Tools {
  const { tools, functions, function_call: call, tool_choice: choice } = body
  if (tools === undefined && functions === undefined) return NO_TOOLS
  if (!Array.isArray(tools) && Array.isArray(functions)) {
    const declared = objectsIn(functions).flatMap((declaration) => toolOf('function_call', declaration))
    return { declared, ...choose(declared, call), isNamed: isObject(call), isParallel: false }
  }
  const declared = objectsIn(tools).flatMap((tool) => {
    const type = tool.type === 'custom' ? 'custom' : 'function'
    const declaration = tool[type]
    return isObject(declaration) ? toolOf(type, declaration) : []
  })
  const isNamed = isObject(choice) && choice.type === 'function'
  return { declared, ...choose(declared, choice), isNamed, isParallel: body.parallel_tool_calls !== false }
}

/** The tools of a responses call. Hosted tools are left out: the mock does not call them. */
export function readResponseTools(body: JsonObject): Tools {
  const { tools, tool_choice: choice } = body
  if (tools === undefined) return NO_TOOLS
  // A tool without `strict` is strict; `null` is not.
  const declared = objectsIn(tools).flatMap((tool) =>
    tool.type === 'function' ? toolOf('function', tool, tool.strict === undefined || tool.strict === true) : [],
  )
  const isNamed = isObject(choice) && choice.type === 'function'
  return { declared, ...choose(declared, choice), isNamed, isParallel: body.parallel_tool_calls !== false }
}

/** The tools that a `tool_choice` or `function_call` allows, and whether one must be called. */
function choose(declared: readonly Tool[], choice: unknown): Pick<Tools, 'allowed' | 'isForced'> {
  if (choice === 'none') return { allowed: [], isForced: false }
  if (!isObject(choice)) return { allowed: declared, isForced: choice === 'required' }
  const names = namesInChoice(choice)
  const isForced = choice.type !== 'allowed_tools' || allowedIn(choice).mode === 'required'
  return { allowed: declared.filter(({ name }) => names.includes(name)), isForced }
}

/** The names that a `tool_choice` or `function_call` mentions. */
export function namesInChoice(choice: unknown): readonly string[] {
  if (!isObject(choice)) return []
  const mentioned = choice.type === 'allowed_tools' ? objectsIn(allowedIn(choice).tools) : [choice]
  return mentioned.map((tool) => {
    const named = tool.function ?? tool.custom ?? tool
    return isObject(named) ? toText(named.name) : ''
  })
}

/** The mode and the tools of a choice of allowed tools. Only chat nests them. */
const allowedIn = (choice: JsonObject): JsonObject => (isObject(choice.allowed_tools) ? choice.allowed_tools : choice)

/** The tool of a declaration; none for one without a name. */
function toolOf(type: ToolType, declaration: JsonObject, isStrict = declaration.strict === true): Tool[] {
  const { name, description, parameters, format } = declaration
  if (typeof name !== 'string') return []
  const text = typeof description === 'string' ? description : ''
  // A function without parameters, or with {}, takes no arguments.
  const takesNone = !isObject(parameters) || Object.keys(parameters).length === 0
  return [{ type, name, description: text, schema: takesNone ? undefined : parameters, format, isStrict }]
}
