/** Reads the tools of a responses body that has not been checked, and which of them may or must be called. */

import { isObject, type JsonObject, objectsIn, toText } from '../../lib/text/json.ts'
import { NO_TOOLS, type Tool, type Tools } from '../../protocol/turn/turn.ts'

/** A tool without `strict` is strict; `null` is not. */
export const isStrictTool = ({ strict }: JsonObject): boolean => strict === undefined || strict === true

export function readResponseTools(body: JsonObject): Tools {
  if (body.tools === undefined) return NO_TOOLS
  const declared = objectsIn(body.tools).flatMap(toolOf)
  const { tool_choice: choice } = body
  return {
    declared,
    ...readChoice(choice, declared),
    isNamed: isObject(choice) && choice.type === 'function',
    isParallel: body.parallel_tool_calls !== false,
  }
}

/** The names that a `tool_choice` mentions. */
export function namesInResponsesChoice(choice: unknown): readonly string[] {
  if (!isObject(choice)) return []
  return (choice.type === 'allowed_tools' ? objectsIn(choice.tools) : [choice]).map(({ name }) => toText(name))
}

function readChoice(choice: unknown, declared: readonly Tool[]): Pick<Tools, 'allowed' | 'isForced'> {
  if (choice === 'none') return { allowed: [], isForced: false }
  if (!isObject(choice)) return { allowed: declared, isForced: choice === 'required' }
  const names = new Set(namesInResponsesChoice(choice))
  const isForced = choice.type !== 'allowed_tools' || choice.mode === 'required'
  return { allowed: declared.filter(({ name }) => names.has(name)), isForced }
}

function toolOf(tool: JsonObject): Tool[] {
  const { type, name, description, parameters } = tool
  if (type !== 'function' || typeof name !== 'string') return []
  // A function without parameters, or with {}, takes no arguments.
  const hasNone = !isObject(parameters) || Object.keys(parameters).length === 0
  const schema = hasNone ? undefined : parameters
  const text = typeof description === 'string' ? description : ''
  return [{ type, name, description: text, schema, format: undefined, isStrict: isStrictTool(tool) }]
}
