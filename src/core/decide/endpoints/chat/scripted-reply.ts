/** The reply of a reply rule: it says a text, calls tools or refuses. */

import { validate } from '../../../lib/json-schema/validate.ts'
import { parseJson } from '../../../lib/text/json.ts'
import type { ApiError } from '../../../protocol/errors/error-catalogue.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/plan/assistant-message.ts'
import type { Reason } from '../../../protocol/plan/plan.ts'
import { fill, fillAll, placeholderValues } from '../../../scenario/compile/template.ts'
import type { CallContext, RuleMatch } from '../../call/call-context.ts'
import { generateInput } from './generate-input.ts'
import type { ResponseFormat } from './read-chat.ts'

/** The message of the assistant and its reason. */
export interface ChatReply {
  readonly message: AssistantMessage
  readonly reason: Reason
  readonly notes?: readonly string[]
  /** The sequence that it took its turn from; it advances by one. */
  readonly sequence?: string | undefined
}

/** A reply, or an error if no message can fulfil the request. */
export type ReplyOrError = ChatReply | { readonly error: ApiError }

export function scriptedReply(
  context: CallContext,
  { rule, groups }: RuleMatch,
  { schema }: ResponseFormat,
): ReplyOrError {
  const { ruleId, refuse, call, say = [], finish } = rule
  const values = { ...placeholderValues(context.facts), ...groups }
  const write = (template: unknown): string =>
    typeof template === 'string' ? fill(template, values) : JSON.stringify(fillAll(template, values))
  const reason = { by: 'reply', name: ruleId } as const
  if (refuse !== undefined) return { message: { type: 'refusal', text: fill(refuse, values) }, reason }
  if (call === undefined) {
    // Each key gets the texts of a list one after the other; the last one stays.
    const isSequence = say.length > 1
    const text = write(say[isSequence ? Math.min(context.session.countOf(ruleId), say.length - 1) : 0]!)
    const notes = notesOn(text, schema, ruleId)
    return {
      message: { type: 'text', text, finishReason: finish, schema },
      reason,
      notes,
      sequence: isSequence ? ruleId : undefined,
    }
  }

  const calls: ToolCall[] = []
  const notes: string[] = []
  const { allowed, isParallel } = context.tools
  const made = isParallel ? call : call.slice(0, 1)
  if (made.length < call.length)
    notes.push(`${ruleId} made one of its ${call.length} calls: parallel_tool_calls is false`)
  for (const [index, { name, arguments: written }] of made.entries()) {
    const tool = allowed.find((one) => one.name === name)!
    const drawn = written === undefined ? generateInput(tool, context, index) : { input: write(written), notes: [] }
    if ('error' in drawn) return drawn
    notes.push(...drawn.notes, ...notesOn(drawn.input, tool.schema, ruleId))
    calls.push({ type: tool.type, name, input: drawn.input, schema: tool.schema })
  }
  return { message: { type: 'calls', calls }, reason, notes }
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
