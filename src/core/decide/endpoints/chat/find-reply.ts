/**
 * Finds the reply to a chat. The first that has one decides: the reply rule that matches, a `tool_choice` that demands a call,
 * `response_format`, or else an echo of the last message.
 */

import { generateValue } from '../../../lib/json-schema/generate/generate-value.ts'
import { validate } from '../../../lib/json-schema/validate.ts'
import { isObject, type JsonObject, objectsIn, parseJson } from '../../../lib/text/json.ts'
import { apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { CallContext } from '../../call/call-context.ts'
import { generateInput } from './generate-input.ts'
import type { ChatRequest, ResponseFormat } from './read-chat.ts'
import { type ReplyOrError, scriptedReply } from './scripted-reply.ts'

export function findReply(context: CallContext, { format }: ChatRequest): ReplyOrError {
  const { matchedRule } = context
  if (matchedRule !== undefined && matchedRule.rule.fault === undefined)
    return scriptedReply(context, matchedRule, format)
  const { allowed, isForced } = context.tools
  if (isForced && allowed.length > 0) return forcedCall(context)
  const { toolResult, user, userMessageCount, last } = context.messages
  // After a tool's result that result, so that an agent's loop ends.
  const text = toolResult ?? (userMessageCount > 0 ? user : last)
  if (format.type !== 'text') return structuredReply(context, format, text)
  return { message: { type: 'text', text }, reason: { by: 'echo', name: 'echo' } }
}

/** Calls a tool with generated arguments. Each is called once before any is called again, so that an agent makes progress. */
function forcedCall(context: CallContext): ReplyOrError {
  const called = new Set<unknown>()
  for (const { function_call, tool_calls } of objectsIn(context.body.messages)) {
    const calls: readonly JsonObject[] = objectsIn(tool_calls)
    for (const one of [function_call, ...calls.map((call) => call.function ?? call.custom)]) {
      if (isObject(one)) called.add(one.name)
    }
  }
  const { allowed } = context.tools
  const tool = allowed.find(({ name }) => !called.has(name)) ?? allowed[0]!
  const generated = generateInput(tool, context, 0)
  if ('error' in generated) return generated
  const call = { type: tool.type, name: tool.name, input: generated.input, schema: tool.schema }
  return { message: { type: 'calls', calls: [call] }, reason: { by: 'tool', name: tool.name }, notes: generated.notes }
}

/**
 * Echoes the last message if that is valid JSON, so that a test can choose the answer. Otherwise it generates a value
 * from the schema; in JSON mode, which has no schema, it wraps the echo in an object.
 */
function structuredReply(context: CallContext, { schema, name }: ResponseFormat, text: string): ReplyOrError {
  const isGiven = context.memo('given', text, () => {
    const value = parseJson(text)
    if (schema === undefined || value === undefined) return isObject(value)
    return validate(schema, value) === undefined
  })
  if (schema === undefined) {
    const body = isGiven ? text : JSON.stringify({ message: text })
    return { message: { type: 'text', text: body }, reason: { by: 'echo', name: 'json_object' } }
  }
  if (isGiven) return { message: { type: 'text', text, schema }, reason: { by: 'echo', name } }
  const random = context.contentRandom('structured')
  const input = JSON.stringify([context.scenario.seed, context.attempt])
  const generated = context.memo('structured', input, () => generateValue(schema, random))
  if ('problem' in generated) {
    const problem = `${generated.problem} (at ${generated.path}).`
    const subject = `response_format '${name}'`
    return { error: apiError('unsatisfiable-schema', { subject, problem, path: 'response_format' }) }
  }
  const { value, notes } = generated
  return { message: { type: 'text', text: JSON.stringify(value), schema }, reason: { by: 'schema', name }, notes }
}
