/** The checks of a responses request, in the order of the real service. */

import { namesInResponsesChoice, readResponseTools } from '../../../dialects/read-tools.ts'
import { CHECKED_RESPONSES_FIELDS, RESPONSES_FIELDS } from '../../../dialects/responses/response-fields.ts'
import { checkSchema } from '../../../lib/json-schema/strict-mode.ts'
import { isMissing, isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { problemAmong } from '../../../protocol/request/field-checks.ts'
import { contentText } from '../../../protocol/turn/turn-texts.ts'
import type { CallContext } from '../../call/call-context.ts'
import { outputProblem, withNumberAsSent } from './check-chat.ts'
import { callPairProblem, itemProblem } from './input-items.ts'
import { fileProblem, imageProblem } from './media-problems.ts'
import { responsesSupportProblem } from './responses-support.ts'
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
const problemBetweenFields = (body: JsonObject): ApiError | undefined =>
  choiceProblem(body) ?? jsonWordProblem(body) ?? optionsProblem(body) ?? schemaProblem(body) ?? itemProblem(body)

function choiceProblem(body: JsonObject): ApiError | undefined {
  const { tool_choice: choice } = body
  if (choice === 'required' && objectsIn(body.tools).length === 0) return apiError('tool-choice-without-tools')
  const declared = new Set(readResponseTools(body).declared.map(({ name }) => name))
  const isKnown = namesInResponsesChoice(choice).every((name) => declared.has(name))
  return isKnown ? undefined : apiError('undeclared-tool', { type: 'function' })
}

/** The input says the word, or may have said it in an earlier response. */
function jsonWordProblem({ text, input, previous_response_id: previous }: JsonObject): ApiError | undefined {
  const format = isObject(text) ? text.format : undefined
  if (!isObject(format) || format.type !== 'json_object' || !isMissing(previous)) return undefined
  const texts =
    typeof input === 'string' ? [input] : objectsIn(input).map((one) => contentText(one.content ?? one.output))
  return texts.some((one) => /json/i.test(one)) ? undefined : apiError('json-word-missing-in-input')
}

const optionsProblem = ({ stream, stream_options: options }: JsonObject): ApiError | undefined =>
  isMissing(options) || stream === true ? undefined : apiError('stream-options-alone')

/** The first schema that the service refuses. It completes those of tools that do not say that they are strict. */
function schemaProblem({ tools, text }: JsonObject): ApiError | undefined {
  for (const [index, { name, parameters, strict }] of objectsIn(tools).entries()) {
    if (!isObject(parameters) || Object.keys(parameters).length === 0) continue
    const problem = checkSchema(parameters, { isStrict: strict === true })
    if (problem === undefined) continue
    const subject = `function '${toText(name)}'`
    return apiError('invalid-function-schema', { subject, problem, path: `tools[${index}].parameters` })
  }
  const format = isObject(text) ? text.format : undefined
  if (!isObject(format) || format.type !== 'json_schema') return undefined
  const problem = checkSchema(format.schema, { isStrict: format.strict === true })
  if (problem === undefined) return undefined
  const subject = `response_format '${toText(format.name)}'`
  return apiError('invalid-text-schema', { subject, problem, path: 'text.format.schema' })
}
