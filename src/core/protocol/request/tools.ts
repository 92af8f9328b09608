/** Reads the tools of a request body that has not been checked, and which of them may or must be called. */

import { isObject, type JsonObject, objectsIn, toText } from '../../lib/text/json.ts'

/** A function, a custom tool with an input of its own format, or a function of the deprecated `functions`. */
export type ToolType = 'function' | 'custom' | 'function_call'

/** A tool that a request declares. */
export interface Tool {
  readonly type: ToolType
  readonly name: string
  /** '' when it has none. */
  readonly description: string
  /** The JSON Schema of a function's arguments; undefined for a function without arguments and for a custom tool. */
  readonly schema: unknown
  /** The format of a custom tool's input: `{type: text}` or `{type: grammar, grammar: {syntax, definition}}`. */
  readonly format: unknown
}

export interface Tools {
  readonly declared: readonly Tool[]
  /** Those that `tool_choice` allows. */
  readonly allowed: readonly Tool[]
  /** True if the answer must be a call. */
  readonly isForced: boolean
  /** True if the answer may hold more than one call. */
  readonly isParallel: boolean
}

const NO_TOOLS: Tools = { declared: [], allowed: [], isForced: false, isParallel: true }

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
  return [{ type, name, description: text, schema, format }]
}

const nameOf = (value: unknown): string => (isObject(value) ? toText(value.name) : '')
