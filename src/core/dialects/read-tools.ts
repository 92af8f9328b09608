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
  const { tools, functions } = body
  if (tools === undefined && functions === undefined) return NO_TOOLS
  if (!Array.isArray(tools) && Array.isArray(functions)) {
    const declared = objectsIn(functions).flatMap((declaration) => toolOf('function_call', declaration))
    const { function_call: choice } = body
    const chosen = choose(declared, choice, namesInChoice(choice), 'required')
    return { declared, ...chosen, isNamed: isObject(choice), isParallel: false }
  }
  const declared = objectsIn(tools).flatMap((tool) => {
    const type = tool.type === 'custom' ? 'custom' : 'function'
    const declaration = tool[type]
    return isObject(declaration) ? toolOf(type, declaration) : []
  })
  const { tool_choice: choice } = body
  const mode = isObject(choice) && isObject(choice.allowed_tools) ? choice.allowed_tools.mode : 'required'
  return {
    declared,
    ...choose(declared, choice, namesInChoice(choice), mode),
    isNamed: isObject(choice) && choice.type === 'function',
    isParallel: body.parallel_tool_calls !== false,
  }
}

/** The names that a `tool_choice` or `function_call` of a chat mentions. */
export function namesInChoice(choice: unknown): readonly string[] {
  if (!isObject(choice)) return []
  let mentioned: readonly JsonObject[] = [choice]
  if (choice.type === 'allowed_tools') {
    mentioned = isObject(choice.allowed_tools) ? objectsIn(choice.allowed_tools.tools) : []
  }
  return mentioned.map((tool) => {
    const named = tool.function ?? tool.custom ?? tool
    return isObject(named) ? toText(named.name) : ''
  })
}

/** The tools of a responses call. Hosted tools are left out: the mock does not call them. */
export function readResponseTools(body: JsonObject): Tools {
  if (body.tools === undefined) return NO_TOOLS
  const { tool_choice: choice } = body
  // A tool without `strict` is strict; `null` is not.
  const declared = objectsIn(body.tools).flatMap((tool) =>
    tool.type === 'function' ? toolOf('function', tool, tool.strict === undefined || tool.strict === true) : [],
  )
  const mode = isObject(choice) && choice.type === 'allowed_tools' ? choice.mode : 'required'
  return {
    declared,
    ...choose(declared, choice, namesInResponsesChoice(choice), mode),
    isNamed: isObject(choice) && choice.type === 'function',
    isParallel: body.parallel_tool_calls !== false,
  }
}

/** The names that a `tool_choice` of a responses request mentions. */
export function namesInResponsesChoice(choice: unknown): readonly string[] {
  if (!isObject(choice)) return []
  return (choice.type === 'allowed_tools' ? objectsIn(choice.tools) : [choice]).map(({ name }) => toText(name))
}

/**
 * The tools that a choice allows, and whether one must be called.
 * @param names the tools that the choice names, if it is an object.
 * @param mode `required`, or `auto` for allowed tools that need not be called.
 */
function choose(
  declared: readonly Tool[],
  choice: unknown,
  names: readonly string[],
  mode: unknown,
): Pick<Tools, 'allowed' | 'isForced'> {
  if (choice === 'none') return { allowed: [], isForced: false }
  if (!isObject(choice)) return { allowed: declared, isForced: choice === 'required' }
  return { allowed: declared.filter(({ name }) => names.includes(name)), isForced: mode === 'required' }
}

/** The tool of a declaration; none for one without a name. */
function toolOf(type: ToolType, declaration: JsonObject, isStrict = declaration.strict === true): Tool[] {
  const { name, description, parameters, format } = declaration
  if (typeof name !== 'string') return []
  const text = typeof description === 'string' ? description : ''
  // A function without parameters, or with {}, takes no arguments.
  const takesNone = !isObject(parameters) || Object.keys(parameters).length === 0
  return [{ type, name, description: text, schema: takesNone ? undefined : parameters, format, isStrict }]
}
