/** The speaker of forced calls: where the request leaves no choice, a tool is called with arguments drawn for it. */

import type { CallContext } from '../../../call/call-context.ts'
import { type ApiError, apiError } from '../../../errors/catalogue.ts'
import { generateValue } from '../../../json-schema/generate/generate.ts'
import type { Tool, ToolType } from '../../../request/tools.ts'
import { isObject } from '../../../text/json.ts'
import type { Responder } from './responder.ts'

export const forcedCall: Responder = (context) => {
  const { allowed, isForced } = context.tools
  if (!isForced || allowed.length === 0) return undefined
  const called = calledNames(context)
  // An agent that must call at every step gets on: each tool has its turn before one comes again.
  const tool = allowed.find(({ name }) => !called.has(name)) ?? allowed[0]!
  const drawn = inputFor(tool, context, 0)
  if ('error' in drawn) return drawn
  const call = { type: tool.type, name: tool.name, input: drawn.input, schema: tool.schema }
  return { speech: { type: 'calls', calls: [call] }, reason: { by: 'tool', name: tool.name } }
}

/** The names of the tools that the conversation has called. */
function calledNames({ body }: CallContext): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  for (const message of body.messages as readonly unknown[]) {
    if (!isObject(message)) continue
    if (isObject(message.function_call)) names.add(message.function_call.name)
    for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
      if (isObject(call)) names.add(nameOf(call.function ?? call.custom))
    }
  }
  return names
}

const nameOf = (value: unknown): unknown => (isObject(value) ? value.name : undefined)

/** What a tool is called with: a value of its JSON Schema; for a custom tool a text that fits, or the user's words. */
export function inputFor(
  tool: Tool,
  context: CallContext,
  place: number,
): { readonly input: string } | { readonly error: ApiError } {
  const isText = tool.type === 'custom'
  const schema = isText ? grammarOf(tool) : tool.schema
  if (schema === undefined) return { input: isText ? context.messages.user : '{}' }
  const made = generateValue(schema, context.random(`arguments ${place}`))
  if ('problem' in made) return { error: unsatisfiable(tool, context, made) }
  return { input: isText ? String(made.value) : JSON.stringify(made.value) }
}

/** A grammar that is a regular expression as a schema of texts; one in Lark has none, and the user's words must do. */
function grammarOf({ format }: Tool): unknown {
  const grammar = isObject(format) && isObject(format.grammar) ? format.grammar : undefined
  return grammar?.syntax === 'regex' ? { type: 'string', pattern: `^(?:${grammar.definition})$` } : undefined
}

// Where the schema of each type stands in a request.
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
    param: PARAMS[tool.type](tools.declared.indexOf(tool)),
  })
}
