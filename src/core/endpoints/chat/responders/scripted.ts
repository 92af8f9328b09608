/** The speaker of the scenario: the reply rule that matches says, calls or refuses what it has written down. */

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
  if (rule.refuse !== undefined) return { speech: { type: 'refusal', text: fill(rule.refuse, values) }, reason }
  if (rule.call !== undefined) {
    const calls = callsOf(rule.call, values, context, rule.ruleId)
    return 'error' in calls ? calls : { speech: { type: 'calls', calls: calls.calls }, reason }
  }
  return { speech: textOf(rule, values, context, request.format), reason }
}

/** A list is said one after the other for each key, the last one stays. */
function textOf(
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

function callsOf(scripted: NonNullable<ReplyRule['call']>, values: Values, context: CallContext, place: string): Calls {
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

/** A scenario may say what it likes; that a client will not take it is worth a note. */
function noteInvalid(text: string, schema: unknown, { notes }: CallContext, place: string): void {
  let problem: string | undefined
  try {
    problem = validate(schema, JSON.parse(text))
  } catch {
    problem = 'it is no JSON'
  }
  if (problem !== undefined) notes.push(`what ${place} says is not valid against the schema of the request: ${problem}`)
}
