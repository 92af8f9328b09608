/** The responder for reply rules: the rule that matches says a text, calls tools or refuses. */

import { validate } from '../../../../lib/json-schema/validate.ts'
import { parseJson } from '../../../../lib/text/json.ts'
import type { AssistantMessage, ToolCall } from '../../../../protocol/plan/assistant-message.ts'
import type { ReplyRule } from '../../../../scenario/compile/compile.ts'
import { fill, fillAll, placeholderValues } from '../../../../scenario/compile/template.ts'
import type { CallContext } from '../../../call/call-context.ts'
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
    if ('error' in calls) return calls
    return { message: { type: 'calls', calls: calls.calls }, reason, notes: calls.notes }
  }
  return { ...sayText(rule, values, context, request.format), reason }
}

/** Each key gets the texts of a list one after the other; the last one stays. */
function sayText(
  { say = [], finish, ruleId }: ReplyRule,
  values: Values,
  context: CallContext,
  format: ResponseFormat,
) {
  const isSequence = say.length > 1
  const template = say[isSequence ? Math.min(context.session.countOf(ruleId), say.length - 1) : 0]!
  const text = typeof template === 'string' ? fill(template, values) : JSON.stringify(fillAll(template, values))
  const message: AssistantMessage = { type: 'text', text, finishReason: finish, schema: format.schema }
  return { message, notes: notesOn(text, format.schema, ruleId), sequence: isSequence ? ruleId : undefined }
}

type Calls =
  | { readonly calls: readonly ToolCall[]; readonly notes: readonly string[] }
  | Extract<ReturnType<typeof inputFor>, { error: unknown }>

function buildCalls(
  scripted: NonNullable<ReplyRule['call']>,
  values: Values,
  context: CallContext,
  ruleId: string,
): Calls {
  const calls: ToolCall[] = []
  const notes: string[] = []
  const { allowed, isParallel } = context.tools
  const made = isParallel ? scripted : scripted.slice(0, 1)
  if (made.length < scripted.length)
    notes.push(`${ruleId} made one of its ${scripted.length} calls: parallel_tool_calls is false`)
  for (const [index, { name, arguments: written }] of made.entries()) {
    const tool = allowed.find((one) => one.name === name)!
    const drawn = written === undefined ? inputFor(tool, context, index) : undefined
    if (drawn !== undefined && 'error' in drawn) return drawn
    const input =
      drawn?.input ?? (typeof written === 'string' ? fill(written, values) : JSON.stringify(fillAll(written, values)))
    notes.push(...(drawn?.notes ?? []), ...notesOn(input, tool.schema, ruleId))
    calls.push({ type: tool.type, name, input, schema: tool.schema })
  }
  return { calls, notes }
}

/** A scenario may answer what it likes; a note says that a client will probably reject it. */
function notesOn(text: string, schema: unknown, ruleId: string): string[] {
  if (schema === undefined) return []
  const value = parseJson(text)
  const problem = value === undefined ? 'it is not JSON' : validate(schema, value)
  return problem === undefined
    ? []
    : [`the answer of ${ruleId} is not valid against the schema of the request: ${problem}`]
}
