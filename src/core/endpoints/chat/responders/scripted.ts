/** The responder for reply rules: the rule that matches says a text, calls tools or refuses. */

import type { CallContext } from '../../../call/call-context.ts'
import { validate } from '../../../json-schema/validate/validate.ts'
import type { AssistantMessage, ToolCall } from '../../../plan/assistant-message.ts'
import type { ReplyRule } from '../../../scenario/compile/compile.ts'
import { fill, fillAll, placeholderValues } from '../../../scenario/compile/template.ts'
import type { ResponseFormat } from '../response-format.ts'
import { inputFor } from './forced-tool-call.ts'
import type { Responder } from './responder.ts'

type Values = Readonly<Record<string, string | undefined>>

export const scripted: Responder = (context, request) => {
  const { matchedRule } = context
  if (matchedRule === undefined || matchedRule.rule.fault !== undefined) return undefined
  const { rule, groups } = matchedRule
  const values = { ...placeholderValues(context.facts), ...groups }
  const reason = { by: 'reply', name: rule.ruleId } as const
  if (rule.refuse !== undefined) return { message: { type: 'refusal', text: fill(rule.refuse, values) }, reason }
  if (rule.call !== undefined) {
    const calls = buildCalls(rule.call, values, context, rule.ruleId)
    return 'error' in calls ? calls : { message: { type: 'calls', calls: calls.calls }, reason }
  }
  return { message: sayText(rule, values, context, request.format), reason }
}

/** Each key gets the texts of a list one after the other, and then the last one again. */
function sayText(
  { say = [], finish, ruleId }: ReplyRule,
  values: Values,
  context: CallContext,
  format: ResponseFormat,
): AssistantMessage {
  const index = say.length === 1 ? 0 : Math.min(context.session.count(ruleId), say.length - 1)
  const template = say[index]!
  const text = typeof template === 'string' ? fill(template, values) : JSON.stringify(fillAll(template, values))
  if (format.schema !== undefined) noteInvalid(text, format.schema, context, ruleId)
  return { type: 'text', text, finishReason: finish, schema: format.schema }
}

type Calls = { readonly calls: readonly ToolCall[] } | Extract<ReturnType<typeof inputFor>, { error: unknown }>

function buildCalls(
  scripted: NonNullable<ReplyRule['call']>,
  values: Values,
  context: CallContext,
  place: string,
): Calls {
  const calls: ToolCall[] = []
  const { allowed, isParallel } = context.tools
  const made = isParallel ? scripted : scripted.slice(0, 1)
  if (made.length < scripted.length)
    context.notes.push(`${place} made one of its ${scripted.length} calls: parallel_tool_calls is false`)
  for (const [index, { name, arguments: written }] of made.entries()) {
    const tool = allowed.find((one) => one.name === name)!
    const drawn = written === undefined ? inputFor(tool, context, index) : undefined
    if (drawn !== undefined && 'error' in drawn) return drawn
    const input =
      drawn?.input ?? (typeof written === 'string' ? fill(written, values) : JSON.stringify(fillAll(written, values)))
    if (tool.schema !== undefined) noteInvalid(input, tool.schema, context, place)
    calls.push({ type: tool.type, name, input, schema: tool.schema })
  }
  return { calls }
}

/** A scenario may answer what it likes; a note says that a client will probably reject it. */
function noteInvalid(text: string, schema: unknown, { notes }: CallContext, place: string): void {
  let problem: string | undefined
  try {
    problem = validate(schema, JSON.parse(text))
  } catch {
    problem = 'it is no JSON'
  }
  if (problem !== undefined) notes.push(`what ${place} says is not valid against the schema of the request: ${problem}`)
}
