/** Reads the tools of a body that has not been checked, and which of them may or must be called. */

import { isObject, type JsonObject, objectsIn, toText } from '../lib/text/json.ts'
import { NO_TOOLS, type Tool, type Tools, type ToolType } from '../protocol/turn/turn.ts'

/** The tools of a chat: `tools`, or the deprecated `functions`. */
export function readChatTools(body: JsonObject): Tools {
  if (body.tools === undefined && body.functions === undefined) return NO_TOOLS
  const isLegacy = !Array.isArray(body.tools) && Array.isArray(body.functions)
  const declared = isLegacy
    ? objectsIn(body.functions).flatMap((one) => toolOf('function_call', one, one.strict === true))
    : objectsIn(body.tools).flatMap(({ type, function: called, custom }) => {
        const declaration = type === 'custom' ? custom : called
        if (!isObject(declaration)) return []
        return toolOf(type === 'custom' ? 'custom' : 'function', declaration, declaration.strict === true)
      })
  const choice = isLegacy ? body.function_call : body.tool_choice
  const allowed = isObject(choice) ? choice.allowed_tools : undefined
  return {
    declared,
    ...choose(declared, choice, namesInChoice(choice), isObject(allowed) ? allowed.mode : 'required'),
    isNamed: isObject(choice) && (isLegacy || choice.type === 'function'),
    isParallel: !isLegacy && body.parallel_tool_calls !== false,
  }
}

/** The names that a `tool_choice` or `function_call` of a chat mentions. */
export function namesInChoice(choice: unknown): readonly string[] {
  if (!isObject(choice)) return []
  const allowed = isObject(choice.allowed_tools) ? objectsIn(choice.allowed_tools.tools) : []
  return (choice.type === 'allowed_tools' ? allowed : [choice]).map((one) => {
    const named = one.function ?? one.custom ?? one
    return isObject(named) ? toText(named.name) : ''
  })
}

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

function choose(declared: readonly Tool[], choice: unknown, names: readonly string[], mode: unknown) {
  if (choice === 'none') return { allowed: [], isForced: false }
  if (!isObject(choice)) return { allowed: declared, isForced: choice === 'required' }
  return { allowed: declared.filter(({ name }) => names.includes(name)), isForced: mode === 'required' }
}

function toolOf(type: ToolType, { name, description, parameters, format }: JsonObject, isStrict: boolean): Tool[] {
  if (typeof name !== 'string') return []
  const text = typeof description === 'string' ? description : ''
  // A function without parameters, or with {}, takes no arguments.
  const takesNone = !isObject(parameters) || Object.keys(parameters).length === 0
  return [{ type, name, description: text, schema: takesNone ? undefined : parameters, format, isStrict }]
}
