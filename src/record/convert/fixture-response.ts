/**
 * Turns the `response` of an aimock fixture for a chat into the action of a rule.
 *
 *     { "content": "Hello" }                                        ->   { say: Hello }
 *     { "toolCalls": [{ "name": "add", "arguments": "{}" }] }       ->   { call: [{ name: add, arguments: {} }] }
 *     { "error": { "message": "Slow down" }, "status": 429 }        ->   { answer: { status: 429, body: ... } }
 */
import { goDuration } from '../../core/lib/text/duration.ts'
import { isMissing, isObject, type JsonObject, objectsIn, parseJson } from '../../core/lib/text/json.ts'
import { fill, findPlaceholderProblems } from '../../core/scenario/compile/template.ts'
import type { AnswerSource } from '../../core/scenario/scenario-source.ts'
import type { CassetteRule } from '../cassette-text.ts'
import type { Note } from './fixture-match.ts'

/** The fields of a response that become parts of a rule. */
const CARRIED = ['content', 'toolCalls', 'blocks', 'finishReason', 'error', 'status', 'retryAfter']
/** Finish reasons that the mock gives without being told. */
const USUAL_FINISH_REASONS = ['stop', 'tool_calls']

/** The action for a chat. @throws when a scenario has no such action. */
export function readResponse(response: JsonObject, note: Note): Omit<CassetteRule, 'when'> {
  for (const [name, value] of Object.entries(response))
    if (!isMissing(value) && !CARRIED.includes(name)) note(`response.${name}`, 'left out: a rule has no such field')
  if (isObject(response.error)) return { answer: readError(response.error, response) }

  const { content, calls, field } = readContent(response)
  if (calls.length > 0) {
    if (!isMissing(content) && content !== '') note(field, 'left out: a rule has a text or calls, not both')
    return { call: calls.map((call, index) => readToolCall(call, `response.toolCalls[${index}]`, note)) }
  }
  if (isMissing(content))
    throw new Error(`no action is like a response of ${Object.keys(response).join(', ') || 'nothing'}`)

  const { finishReason } = response
  const finish = finishReason === 'length' || finishReason === 'content_filter' ? finishReason : undefined
  if (!isMissing(finishReason) && finish === undefined && !USUAL_FINISH_REASONS.includes(String(finishReason)))
    note('response.finishReason', "left out: expected 'length' or 'content_filter'")
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  if (fill(text, {}) !== text || findPlaceholderProblems(text, []).length > 0)
    throw new Error('its text has {{...}}, which is a placeholder here')
  return { say: isObject(content) ? content : text, ...(finish !== undefined && { finish }) }
}

/** `{ message: 'Slow down' }` as the `answer` of a rule, with the status and the wait that the response has. */
function readError({ message, type, param = null, code = null }: JsonObject, response: JsonObject): AnswerSource {
  const { status, retryAfter } = response
  return {
    status: Number(status ?? 500),
    ...(typeof retryAfter === 'number' && { retryAfter: goDuration(Math.max(0, retryAfter * 1000)) }),
    body: JSON.stringify({ error: { message, type: type ?? 'server_error', param, code } }),
  }
}

/** The text and the tool calls of a response: in `blocks`, or else in `content` and `toolCalls`. */
function readContent(response: JsonObject) {
  const blocks = objectsIn(response.blocks)
  if (blocks.length === 0)
    return { content: response.content, calls: objectsIn(response.toolCalls), field: 'response.content' }
  const calls = blocks.filter(({ type }) => type === 'toolCall')
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => String(text ?? ''))
  return { content: texts.length > 0 ? texts.join('') : undefined, calls, field: 'response.blocks' }
}

function readToolCall({ name, arguments: given, id }: JsonObject, field: string, note: Note) {
  if (!isMissing(id)) note(`${field}.id`, 'left out: the mock draws the ids of calls')
  const parsed = typeof given === 'string' ? parseJson(given) : given
  const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
  return { name: String(name ?? ''), arguments: isObject(parsed) ? parsed : text }
}
