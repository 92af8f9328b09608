/** Generates the input of a tool call from the declaration of the tool. */

import { generateValue } from '../../../lib/json-schema/generate/generate-value.ts'
import { isObject } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { Tool, ToolType } from '../../../protocol/request/tools.ts'
import type { CallContext } from '../../call/call-context.ts'

/** Path of the schema in the request, by the type of the tool. */
const PATHS: Readonly<Record<ToolType, readonly [list: string, schema: string]>> = {
  function: ['tools', 'function.parameters'],
  custom: ['tools', 'custom.format'],
  function_call: ['functions', 'parameters'],
}

/**
 * A value that fits the JSON Schema; for a custom tool a text that matches its regular expression, or the user message.
 * @param place the number of the call in the answer.
 */
export function generateInput(
  tool: Tool,
  context: CallContext,
  place: number,
): { readonly input: string; readonly notes: readonly string[] } | { readonly error: ApiError } {
  const { type, name, format } = tool
  const isText = type === 'custom'
  const grammar = isText && isObject(format) && isObject(format.grammar) ? format.grammar : {}
  const pattern = grammar.syntax === 'regex' ? { type: 'string', pattern: `^(?:${grammar.definition})$` } : undefined
  const schema = isText ? pattern : tool.schema
  if (schema === undefined) return { input: isText ? context.messages.user : '{}', notes: [] }
  const { scenario, attempt, tools } = context
  const index = tools.declared.indexOf(tool)
  const random = context.contentRandom(`arguments ${place}`)
  const input = JSON.stringify([scenario.seed, attempt, place, index])
  const generated = context.memo('arguments', input, () => generateValue(schema, random))
  if (!('problem' in generated)) {
    const { value, notes } = generated
    return { input: isText ? String(value) : JSON.stringify(value), notes }
  }
  const [list, path] = PATHS[type]
  const error = apiError('unsatisfiable-schema', {
    subject: `function '${name}'`,
    problem: `${generated.problem} (at ${generated.path}).`,
    path: `${list}[${index}].${path}`,
  })
  return { error }
}
