/**
 * Finds the reply to a turn. The first of these that applies decides: the reply rule that matches, a `tool_choice` that
 * demands a call, an output format with JSON. Otherwise the reply echoes the last message.
 *
 *     { messages: [{ role: 'user', content: 'Hi' }], ... }
 *     -> { message: { type: 'text', text: 'Hi' }, reason: { by: 'echo', name: 'echo' } }
 */

import { generateValue } from '../../../lib/json-schema/generate/generate-value.ts'
import { validate } from '../../../lib/json-schema/validate.ts'
import { isObject, objectsIn, parseJson } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { Reason } from '../../../protocol/plan/plan.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/turn/assistant-message.ts'
import type { PlacedFunction, ReplyText } from '../../../protocol/turn/reply-function.ts'
import type { OutputFormat, Tool, ToolType, Turn } from '../../../protocol/turn/turn.ts'
import { fillAll, placeholderValues } from '../../../scenario/compile/template.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { RuleMatch } from '../../call/call-rules.ts'
import { runReplyFunction } from './run-reply-function.ts'

/** The message of the assistant and its reason, or an error if no message can fulfil the request. */
type ReplyOrError = { readonly notes?: readonly string[] } & (
  | {
      readonly message: AssistantMessage
      readonly reason: Reason
      /** The sequence that it took its turn from; it advances by one. */
      readonly sequence?: string | undefined
    }
  | { readonly error: ApiError }
)

export function findReply(context: CallContext, { format, tools }: Turn): ReplyOrError {
  const { found } = context.rules.search
  // A rule with a fault gives no reply: its call is answered as one that no rule matches, and the fault changes that answer.
  if (found !== undefined && found.rule.fault === undefined) return scriptedReply(context, found, format)
  const { allowed, isForced } = tools
  if (isForced && allowed.length > 0) return forcedCall(context)
  const { toolResult, user, userMessageCount, last } = context.request.turnParts.messages
  // Echoes the result of a tool, so that an agent's loop ends.
  const text = toolResult ?? (userMessageCount > 0 ? user : last)
  if (format.type !== 'text') return structuredReply(context, format, text)
  return { message: { type: 'text', text }, reason: { by: 'echo', name: 'echo' } }
}

/** The reply of a rule, or of its function. */
function scriptedReply(context: CallContext, match: RuleMatch, { schema }: OutputFormat): ReplyOrError {
  const { rule, groups } = match
  const { ruleId, say: texts = [], code, items } = rule
  // Each key gets the texts of a list one after the other; the last one stays.
  const isSequence = texts.length > 1
  const place = isSequence ? Math.min(context.session.countOf(ruleId), texts.length - 1) : 0
  const text = texts[place]
  const path = isSequence ? `${ruleId}.say[${place}]` : `${ruleId}.say`
  const placed: PlacedFunction | undefined = typeof text === 'function' ? { field: 'say', path, run: text } : code
  const script =
    placed === undefined
      ? { say: text as ReplyText, call: rule.call, refuse: rule.refuse, finish: rule.finish }
      : runReplyFunction(placed, match, context)
  if ('problem' in script) return { error: apiError('reply-function-failed', script), notes: [script.problem] }

  const { refuse, call, say, finish = rule.finish } = script
  const values = { ...placeholderValues(context.rules.facts), ...groups }
  const write = (template: unknown): string => {
    // The text of a function has no placeholders.
    const filled = placed === undefined ? fillAll(template, values) : template
    return typeof filled === 'string' ? filled : JSON.stringify(filled)
  }
  const reason = { by: 'reply', name: ruleId } as const
  if (refuse !== undefined) return { message: { type: 'refusal', text: write(refuse) }, reason }
  if (call !== undefined) {
    const scripted = call.map((one) => ({ name: one.name, input: one.arguments && write(one.arguments) }))
    return makeCalls(context, reason, scripted)
  }
  const written = write(say)
  return {
    message: { type: 'text', text: written, finishReason: finish, schema, items },
    reason,
    notes: notesOn(written, schema, ruleId),
    sequence: isSequence ? ruleId : undefined,
  }
}

/** Makes calls. The input of one that has none is generated. */
function makeCalls(
  context: CallContext,
  reason: Reason,
  scripted: readonly { readonly name: string; readonly input?: string | undefined }[],
): ReplyOrError {
  const calls: ToolCall[] = []
  const notes: string[] = []
  const { allowed, isParallel } = context.request.turn.tools
  const sent = isParallel ? scripted : scripted.slice(0, 1)
  if (sent.length < scripted.length)
    notes.push(`${reason.name} made one of its ${scripted.length} calls: parallel_tool_calls is false`)
  for (const [index, { name, input }] of sent.entries()) {
    // `findReplyRule` and `runReplyFunction` have checked that the request allows it.
    const tool = allowed.find((one) => one.name === name)!
    const made =
      input === undefined
        ? generateInput(tool, context, index)
        : { input, notes: notesOn(input, tool.schema, reason.name) }
    if ('error' in made) return made
    notes.push(...made.notes)
    calls.push({ type: tool.type, name, input: made.input, schema: tool.schema })
  }
  return { message: { type: 'calls', calls }, reason, notes }
}

/** A scenario may answer what it likes; a note says that a client will probably reject it. */
function notesOn(text: string, schema: unknown, ruleId: string): readonly string[] {
  if (schema === undefined) return []
  const { problem, isUnchecked, notes } = validate(schema, parseJson(text))
  if (problem === undefined) return notes
  const verdict = isUnchecked ? 'was not checked' : 'is not valid'
  return [`the answer of ${ruleId} ${verdict} against the schema of the request: ${problem}`]
}

/** Calls a tool with generated arguments. Each tool is called once before any is called again, so that an agent makes progress. */
function forcedCall(context: CallContext): ReplyOrError {
  const { turn } = context.request
  const called = new Set<unknown>()
  for (const { function_call, tool_calls } of turn.messages) {
    if (isObject(function_call)) called.add(function_call.name)
    for (const call of objectsIn(tool_calls)) {
      const named = call.function ?? call.custom
      if (isObject(named)) called.add(named.name)
    }
  }
  const { allowed } = turn.tools
  const tool = allowed.find(({ name }) => !called.has(name)) ?? allowed[0]!
  return makeCalls(context, { by: 'tool', name: tool.name }, [{ name: tool.name }])
}

/**
 * Echoes the last message if that is valid JSON, so that a test can choose the answer. Otherwise it generates a value
 * from the schema; in JSON mode, which has no schema, it wraps the echo in an object.
 */
function structuredReply(context: CallContext, { schema, name }: OutputFormat, text: string): ReplyOrError {
  const { request, scenario, attempt } = context
  /** The notes on the text as the answer; undefined if it is not a valid one. */
  const echoNotes = request.memo('given', text, (): readonly string[] | undefined => {
    const value = parseJson(text)
    if (schema === undefined) return isObject(value) ? [] : undefined
    const { problem, notes } = validate(schema, value)
    return problem === undefined ? notes : undefined
  })
  if (schema === undefined) {
    const body = echoNotes === undefined ? JSON.stringify({ message: text }) : text
    return { message: { type: 'text', text: body }, reason: { by: 'echo', name: 'json_object' } }
  }
  if (echoNotes !== undefined)
    return { message: { type: 'text', text, schema }, reason: { by: 'echo', name }, notes: echoNotes }
  const random = context.draws.random('structured', request.contentHashes)
  const input = JSON.stringify([scenario.seed, attempt])
  const generated = request.memo('structured', input, () => generateValue(schema, random))
  if ('problem' in generated)
    return context.route.readsItems
      ? unsatisfiable(generated, `text.format '${name}'`, 'text.format.schema')
      : unsatisfiable(generated, `response_format '${name}'`, 'response_format')
  const { value, notes } = generated
  return { message: { type: 'text', text: JSON.stringify(value), schema }, reason: { by: 'schema', name }, notes }
}

/** Path of the schema in a chat request, by the type of the tool. */
const PATHS: Readonly<Record<ToolType, readonly [list: string, schema: string]>> = {
  function: ['tools', 'function.parameters'],
  custom: ['tools', 'custom.format'],
  function_call: ['functions', 'parameters'],
}

/**
 * Generates the input of a tool: a value that fits its JSON Schema; for a custom tool a text that matches its regular
 * expression, or else the user message.
 * @param place the number of the call in the answer.
 */
function generateInput(tool: Tool, context: CallContext, place: number) {
  const { type, name } = tool
  const isText = type === 'custom'
  const grammar = isText && isObject(tool.format) && isObject(tool.format.grammar) ? tool.format.grammar : {}
  const pattern = grammar.syntax === 'regex' ? { type: 'string', pattern: `^(?:${grammar.definition})$` } : undefined
  const schema = isText ? pattern : tool.schema
  if (schema === undefined) return { input: isText ? context.request.turnParts.messages.user : '{}', notes: [] }
  const { scenario, attempt, request } = context
  const index = request.turn.tools.declared.indexOf(tool)
  const random = context.draws.random(`arguments ${place}`, request.contentHashes)
  const input = JSON.stringify([scenario.seed, attempt, place, index])
  const generated = request.memo('arguments', input, () => generateValue(schema, random))
  if (!('problem' in generated)) {
    const { value, notes } = generated
    return { input: isText ? String(value) : JSON.stringify(value), notes }
  }
  const [list, pathInChat] = PATHS[type]
  const path = context.route.readsItems ? 'parameters' : pathInChat
  return unsatisfiable(generated, `function '${name}'`, `${list}[${index}].${path}`)
}

/** The error for a schema that no value fits. @param path its place in the request */
const unsatisfiable = (found: { readonly problem: string; readonly path: string }, subject: string, path: string) => ({
  error: apiError('unsatisfiable-schema', { subject, problem: `${found.problem} (at ${found.path}).`, path }),
})
