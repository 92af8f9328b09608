/** Reads the tools of a chat body that has not been checked, and which of them may or must be called. */

import { isObject, type JsonObject, objectsIn, toText } from '../../lib/text/json.ts'
import { NO_TOOLS, type Tool, type Tools, type ToolType } from '../../protocol/turn/turn.ts'

export function readTools(body: JsonObject): Tools {
  if (body.tools === undefined && body.functions === undefined) return NO_TOOLS
  const isLegacy = !Array.isArray(body.tools) && Array.isArray(body.functions)
  const declared = isLegacy
    ? objectsIn(body.functions).flatMap((one) => toolOf('function_call', one))
    : objectsIn(body.tools).flatMap(({ type, function: called, custom }) =>
        type === 'custom' ? toolOf('custom', custom) : toolOf('function', called),
      )
  return {
    declared,
    ...readChoice(isLegacy ? body.function_call : body.tool_choice, declared),
    isNamed: isLegacy
      ? isObject(body.function_call)
      : isObject(body.tool_choice) && body.tool_choice.type === 'function',
    isParallel: !isLegacy && body.parallel_tool_calls !== false,
  }
}

const NO_NAMES: readonly string[] = []

/** The names that a `tool_choice` or `function_call` mentions. */
export function namesInChoice(choice: unknown): readonly string[] {
  if (!isObject(choice)) return NO_NAMES
  if (choice.type === 'allowed_tools') {
    const list = isObject(choice.allowed_tools) ? objectsIn(choice.allowed_tools.tools) : []
    return list.map((one) => nameOf(one.function ?? one.custom ?? one))
  }
  return [nameOf(choice.function ?? choice.custom ?? choice)]
}

function readChoice(choice: unknown, declared: readonly Tool[]): Pick<Tools, 'allowed' | 'isForced'> {
  if (choice === 'none') return { allowed: [], isForced: false }
  if (!isObject(choice)) return { allowed: declared, isForced: choice === 'required' }
  const names = namesInChoice(choice)
  const allowed = declared.filter(({ name }) => names.includes(name))
  const mode = isObject(choice.allowed_tools) ? choice.allowed_tools.mode : 'required'
  return { allowed, isForced: mode === 'required' }
}

function toolOf(type: ToolType, declaration: unknown): Tool[] {
  if (!isObject(declaration) || typeof declaration.name !== 'string') return []
  const { name, description, parameters, format } = declaration
  const text = typeof description === 'string' ? description : ''
  // A function without parameters, or with {}, takes no arguments.
  const schema = isObject(parameters) && Object.keys(parameters).length === 0 ? undefined : (parameters ?? undefined)
  return [{ type, name, description: text, schema, format, isStrict: declaration.strict === true }]
}

const nameOf = (value: unknown): string => (isObject(value) ? toText(value.name) : '')
