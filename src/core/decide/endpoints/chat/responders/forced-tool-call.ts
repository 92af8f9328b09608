/** The responder for forced tool calls: calls a tool with generated arguments, because `tool_choice` demands a call. */

import { generateValue } from '../../../../lib/json-schema/generate/generate-value.ts'
import { isObject, objectsIn } from '../../../../lib/text/json.ts'
import { finish } from '../../../../lib/work/steps.ts'
import { type ApiError, apiError } from '../../../../protocol/errors/catalogue.ts'
import type { Tool, ToolType } from '../../../../protocol/request/tools.ts'
import type { CallContext } from '../../../call/call-context.ts'
import type { Responder } from './responder.ts'

export const forcedToolCall: Responder = (context) => {
  const { allowed, isForced } = context.tools
  if (!isForced || allowed.length === 0) return undefined
  const called = calledNames(context)
  // Each tool is called once before any is called again, so that an agent that must call at every step makes progress.
  const tool = allowed.find(({ name }) => !called.has(name)) ?? allowed[0]!
  const input = inputFor(tool, context, 0)
  if ('error' in input) return input
  const call = { type: tool.type, name: tool.name, input: input.input, schema: tool.schema }
  return { message: { type: 'calls', calls: [call] }, reason: { by: 'tool', name: tool.name }, notes: input.notes }
}

/** The names of the tools that were called in the messages so far. */
function calledNames({ body }: CallContext): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  for (const { function_call, tool_calls } of objectsIn(body.messages)) {
    if (isObject(function_call)) names.add(function_call.name)
    for (const call of objectsIn(tool_calls)) names.add(nameOf(call.function ?? call.custom))
  }
  return names
}

const nameOf = (value: unknown): unknown => (isObject(value) ? value.name : undefined)

/** The input of a call: a value generated from the JSON Schema; for a custom tool a text that fits, or the user message. */
export function inputFor(
  tool: Tool,
  context: CallContext,
  place: number,
): { readonly input: string; readonly notes: readonly string[] } | { readonly error: ApiError } {
  const isText = tool.type === 'custom'
  const schema = isText ? grammarOf(tool) : tool.schema
  if (schema === undefined) return { input: isText ? context.messages.user : '{}', notes: [] }
  const { scenario, attempt, tools } = context
  const random = context.contentRandom(`arguments ${place}`)
  const input = JSON.stringify([scenario.seed, attempt, place, tools.declared.indexOf(tool)])
  const generated = context.memo('arguments', input, () => finish(generateValue(schema, random)))
  if ('problem' in generated) return { error: unsatisfiable(tool, context, generated) }
  return { input: isText ? String(generated.value) : JSON.stringify(generated.value), notes: generated.notes }
}

/** The schema of the texts that match a regular expression; undefined for a grammar in Lark. */
function grammarOf({ format }: Tool): unknown {
  const grammar = isObject(format) && isObject(format.grammar) ? format.grammar : undefined
  return grammar?.syntax === 'regex' ? { type: 'string', pattern: `^(?:${grammar.definition})$` } : undefined
}

// The path of the schema in the request, by the type of the tool.
const PARAMS: Readonly<Record<ToolType, (place: number) => string>> = {
  function: (place) => `tools[${place}].function.parameters`,
  custom: (place) => `tools[${place}].custom.format`,
  function_call: (place) => `functions[${place}].parameters`,
}

function unsatisfiable(
  tool: Tool,
  { tools }: CallContext,
  { problem, path }: { problem: string; path: string },
): ApiError {
  return apiError('unsatisfiable-schema', {
    subject: `function '${tool.name}'`,
    problem: `${problem} (at ${path}).`,
    path: PARAMS[tool.type](tools.declared.indexOf(tool)),
  })
}
