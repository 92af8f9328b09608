/** The checks of a responses request, in the order of the real service. */

import { namesInResponsesChoice, readResponseTools } from '../../../dialects/read-tools.ts'
import { itemType } from '../../../dialects/responses/read-responses.ts'
import { CHECKED_RESPONSES_FIELDS, RESPONSES_FIELDS } from '../../../dialects/responses/response-fields.ts'
import { checkSchema } from '../../../lib/json-schema/strict-mode.ts'
import { isMissing, isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { problemAmong } from '../../../protocol/request/field-checks.ts'
import { contentText } from '../../../protocol/turn/turn-texts.ts'
import type { CallContext } from '../../call/call-context.ts'
import { functionSchemaProblem, outputProblem, withNumberAsSent } from './check-chat.ts'
import { fileProblem, imageProblem } from './media-problems.ts'
import { responsesSupportProblem } from './model-support.ts'
import { fieldNotSimulated, partNotSimulated } from './simulated-parts.ts'
import { parameterCheck } from './unknown-parameters.ts'

const parameters = parameterCheck(RESPONSES_FIELDS)
export const responsesNotes = parameters.notes

/** The first problem of a responses request. */
export function checkResponses(context: CallContext): ApiError | undefined {
  const { body, modelRule, scenario, call } = context
  const problem =
    context.once(moveProblem) ??
    context.once(fieldNotSimulated) ??
    // A rule with items says what the hosted tools did.
    (context.matchedRule?.rule.items === undefined ? context.once(partNotSimulated) : undefined) ??
    parameters.check(context) ??
    context.once(fieldProblem) ??
    context.once(missingInput) ??
    responsesSupportProblem(context) ??
    context.once(problemBetweenFields) ??
    // A stored item that is not found, or a call without its output in the whole conversation.
    context.conversation?.problem ??
    callPairProblem(context.turn.messages) ??
    (scenario.strict ? (imageProblem(context.turn.messages) ?? context.once(fileProblem)) : undefined) ??
    outputProblem(body, ['max_output_tokens'], modelRule)
  return problem && withNumberAsSent(problem, body, call.body ?? '')
}

/** The names of chat, and the names that this endpoint has for them. */
const MOVED: readonly (readonly [from: string, to: string])[] = [
  ['messages', 'input'],
  ['reasoning_effort', 'reasoning.effort'],
  ['response_format', 'text.format'],
  ['verbosity', 'text.verbosity'],
  ['max_tokens', 'max_output_tokens'],
  ['max_completion_tokens', 'max_output_tokens'],
]

/** The first parameter that has another name here, whatever the scenario: with it the request means something else. */
function moveProblem(body: JsonObject): ApiError | undefined {
  const moved = MOVED.find(([from]) => !isMissing(body[from]))
  return moved && apiError('moved-parameter', { from: moved[0], to: moved[1] })
}

const fieldProblem = (body: JsonObject): ApiError | undefined => problemAmong(CHECKED_RESPONSES_FIELDS, body)

/** An empty text is an input, and an empty list is one after an earlier response. */
const missingInput = ({ input, previous_response_id: previous }: JsonObject): ApiError | undefined =>
  isMissing(previous) && (isMissing(input) || (Array.isArray(input) && input.length === 0))
    ? apiError('input-missing')
    : undefined

/** The first problem between fields that are valid on their own. */
function problemBetweenFields(body: JsonObject): ApiError | undefined {
  const { tools, tool_choice: choice, text, input, previous_response_id: previous, stream, stream_options } = body
  if (choice === 'required' && objectsIn(tools).length === 0) return apiError('tool-choice-without-tools')
  const declared = new Set(readResponseTools(body).declared.map(({ name }) => name))
  if (!namesInResponsesChoice(choice).every((name) => declared.has(name)))
    return apiError('undeclared-tool', { type: 'function' })
  const format = isObject(text) ? text.format : undefined
  // The input says the word, or may have said it in an earlier response.
  if (isObject(format) && format.type === 'json_object' && isMissing(previous)) {
    const texts =
      typeof input === 'string' ? [input] : objectsIn(input).map((one) => contentText(one.content ?? one.output))
    if (!texts.some((one) => /json/i.test(one))) return apiError('json-word-missing-in-input')
  }
  if (!isMissing(stream_options) && stream !== true) return apiError('stream-options-alone')
  return schemaProblem(tools, format) ?? itemProblem(body)
}

/** The first schema that the service refuses. It completes those of tools that do not say that they are strict. */
function schemaProblem(tools: unknown, format: unknown): ApiError | undefined {
  const declared = objectsIn(tools).map((tool, index) => [`tools[${index}].parameters`, tool] as const)
  const problemOfTool = functionSchemaProblem(declared)
  if (problemOfTool !== undefined) return problemOfTool
  if (!isObject(format) || format.type !== 'json_schema') return undefined
  const problem = checkSchema(format.schema, { isStrict: format.strict === true })
  if (problem === undefined) return undefined
  const subject = `response_format '${toText(format.name)}'`
  return apiError('invalid-text-schema', { subject, problem, path: 'text.format.schema' })
}

/** Every call of a conversation has its output later, and every output its call earlier. */
export function callPairProblem(messages: readonly JsonObject[]): ApiError | undefined {
  const called = new Set<unknown>()
  const open = new Set<unknown>()
  for (const { role, tool_calls, tool_call_id: id } of messages) {
    for (const call of objectsIn(tool_calls)) {
      called.add(call.id)
      open.add(call.id)
    }
    if (role !== 'tool') continue
    if (!called.has(id)) return apiError('missing-tool-call', { id: String(id) })
    open.delete(id)
  }
  const [first] = open
  return first === undefined ? undefined : apiError('missing-tool-output', { id: String(first) })
}

/** All encrypted content begins like this: it is a Fernet token. */
const ENCRYPTED = 'gAAAAA'

/** The first problem of an item: a repeated id, content that can't be decrypted, or reasoning without the item after it. */
export function itemProblem({ input }: JsonObject): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  const ids = new Set<string>()
  /** The last item, if it is reasoning. */
  let reasoning: string | undefined
  for (const item of input) {
    if (!isObject(item)) continue
    const { id, encrypted_content: encrypted } = item
    const type = itemType(item)
    if (typeof id === 'string') {
      if (ids.has(id)) return apiError('duplicate-item', { id })
      ids.add(id)
    }
    if (type === 'reasoning') {
      if (typeof encrypted === 'string' && !encrypted.startsWith(ENCRYPTED))
        return apiError('invalid-encrypted-content', { shown: `${encrypted.slice(0, 4)}...${encrypted.slice(-4)}` })
      reasoning = typeof id === 'string' ? id : undefined
      continue
    }
    // A text that the client wrote is not what the service stored with the reasoning: that has an id.
    const breaksReasoning = type === 'function_call_output' || (type === 'message' && typeof id !== 'string')
    if (reasoning !== undefined && breaksReasoning) break
    reasoning = undefined
  }
  return reasoning === undefined ? undefined : apiError('reasoning-alone', { id: reasoning })
}
