/** The checks of a chat request, in the order of the real service. */

import { CHAT_FIELDS, CHECKED_CHAT_FIELDS } from '../../../dialects/chat/chat-fields.ts'
import { asksForAudio } from '../../../dialects/chat/read-chat.ts'
import { namesInChoice, readChatTools } from '../../../dialects/read-tools.ts'
import { checkSchema } from '../../../lib/json-schema/strict-mode.ts'
import { isMissing, isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { problemAmong } from '../../../protocol/request/field-checks.ts'
import { contentText } from '../../../protocol/turn/turn-texts.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallContext } from '../../call/call-context.ts'
import { imageProblem } from './media-problems.ts'
import { supportProblem, unknownToModel } from './model-support.ts'
import { parameterCheck } from './unknown-parameters.ts'

const parameters = parameterCheck(CHAT_FIELDS)
export const chatNotes = parameters.notes

/** The result of the checks of a body, and the settings that it depends on besides. */
interface Verdict {
  readonly modelRule: Model | undefined
  readonly isStrict: boolean
  readonly problem: ApiError | undefined
}

/** The last verdict on each body: clients send the same one again and again. */
const verdicts = new WeakMap<JsonObject, Verdict>()

/** The first problem of a chat request. */
export function checkChat(context: CallContext): ApiError | undefined {
  const { body, modelRule, scenario } = context
  const isStrict = scenario.strict
  const known = verdicts.get(body)
  if (known !== undefined && known.modelRule === modelRule && known.isStrict === isStrict) return known.problem
  const problem = findProblem(context)
  verdicts.set(body, { modelRule, isStrict, problem })
  return problem
}

function findProblem(context: CallContext): ApiError | undefined {
  const { body, modelRule = {}, scenario, call } = context
  const { supports, reasoning } = modelRule
  if (body.messages === undefined) return apiError('missing-parameter', { path: 'messages' })
  const problem =
    parameters.check(context) ??
    (scenario.strict ? unknownToModel(body, modelRule) : undefined) ??
    // The service refuses it before it checks the fields.
    (reasoning === true && !isMissing(body.max_tokens) ? apiError('max-tokens-unsupported') : undefined) ??
    problemAmong(CHECKED_CHAT_FIELDS, body) ??
    (supports && supportProblem(body, modelRule, supports)) ??
    problemBetweenFields(body) ??
    (scenario.strict ? imageProblem(objectsIn(body.messages)) : undefined) ??
    outputProblem(body, ['max_completion_tokens', 'max_tokens'], modelRule)
  return problem && withNumberAsSent(problem, body, call.body ?? '')
}

/** The error with its number as the client wrote it, such as `0.0`, which is 0 once it is read. */
export function withNumberAsSent(error: ApiError, body: JsonObject, text: string): ApiError {
  const { param, message } = error.body
  const path = param?.split('.') ?? []
  const value = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), body)
  const name = path.at(-1) ?? ''
  // Clients name the keys of logit_bias.
  if (typeof value !== 'number' || !/^\w+$/.test(name)) return error
  // In a text the quotes are escaped, so this is a field; one of another object has another value.
  const [, written = ''] = new RegExp(`"${name}"\\s*:\\s*([-+.\\deE]+)`).exec(text) ?? []
  if (Number(written) !== value) return error
  // A sentence may end in the number.
  const asSent = message.split(' ').map((word) => {
    if (word === `${value}`) return written
    return word === `${value}.` ? `${written}.` : word
  })
  return { ...error, body: { ...error.body, message: asSent.join(' ') } }
}

/** A token limit above the largest output of the model. */
export function outputProblem(
  body: JsonObject,
  paths: readonly string[],
  { maxOutputTokens: limit = Number.POSITIVE_INFINITY }: Model = {},
): ApiError | undefined {
  for (const path of paths) {
    const asked = body[path]
    if (typeof asked === 'number' && asked > limit) return apiError('max-tokens-too-large', { path, asked, limit })
  }
  return undefined
}

/** The first problem between fields that are valid on their own. */
const problemBetweenFields = (body: JsonObject): ApiError | undefined =>
  inconsistency(body) ?? toolMessageProblem(body) ?? audioProblem(body) ?? schemaProblem(body) ?? missingContent(body)

/** The first field that is not allowed beside, or without, another one. */
function inconsistency(body: JsonObject): ApiError | undefined {
  const hasNoTools = objectsIn(body.tools).length === 0
  if (!isMissing(body.tool_choice) && hasNoTools) return apiError('tool-choice-alone')
  if (!isMissing(body.parallel_tool_calls) && hasNoTools) return apiError('parallel-tool-calls-alone')
  if (!isMissing(body.max_tokens) && !isMissing(body.max_completion_tokens)) return apiError('two-token-limits')
  const named = namesInChoice(isMissing(body.tools) ? body.function_call : body.tool_choice)
  if (named.length > 0) {
    const { declared } = readChatTools(body)
    const unknown = named.find((name) => !declared.some((tool) => tool.name === name))
    if (unknown !== undefined) return apiError('undeclared-function', { name: unknown })
  }
  const { metadata } = body
  if (isObject(metadata) && Object.keys(metadata).length > 0 && body.store !== true)
    return apiError('metadata-without-store')
  if (!isMissing(body.top_logprobs) && body.logprobs !== true) return apiError('top-logprobs-alone')
  const { response_format: format } = body
  if (isObject(format) && format.type === 'json_object') {
    const hasWord = objectsIn(body.messages).some(({ content }) => /json/i.test(contentText(content)))
    if (!hasWord) return apiError('json-word-missing')
  }
  return !isMissing(body.stream_options) && body.stream !== true ? apiError('stream-options-alone') : undefined
}

/** Every tool call is answered by the tool messages right after it, and every tool message answers one. */
function toolMessageProblem({ messages }: JsonObject): ApiError | undefined {
  const all = messages as readonly JsonObject[]
  if (!all.some(({ role, tool_calls }) => role === 'tool' || !isMissing(tool_calls))) return undefined
  let open = new Set<unknown>()
  let called = new Set<unknown>()
  const unanswered = (index: number): ApiError | undefined =>
    open.size === 0 ? undefined : apiError('unanswered-tool-call', { index, ids: [...open].map(String) })
  for (const [index, message] of all.entries()) {
    if (message.role === 'tool') {
      if (!called.has(message.tool_call_id)) return apiError('orphan-tool-message', { index })
      open.delete(message.tool_call_id)
      continue
    }
    const problem = unanswered(index)
    if (problem !== undefined) return problem
    open = new Set(objectsIn(message.tool_calls).map(({ id }) => id))
    called = new Set(open)
  }
  return unanswered(all.length)
}

function audioProblem(body: JsonObject): ApiError | undefined {
  if (!asksForAudio(body)) return undefined
  if (!isObject(body.audio)) return apiError('missing-parameter', { path: 'audio' })
  const { format } = body.audio
  return body.stream === true && format !== 'pcm16'
    ? apiError('audio-format-streamed', { got: format as string })
    : undefined
}

/** The first schema that the service refuses: first those of the tools, then that of the response format. */
function schemaProblem({ tools, functions, response_format: format }: JsonObject): ApiError | undefined {
  const declared = [
    ...objectsIn(tools).map((tool, index) => [`tools[${index}].function.parameters`, tool.function] as const),
    ...objectsIn(functions).map((one, index) => [`functions[${index}].parameters`, one] as const),
  ]
  const problemOfFunction = functionSchemaProblem(declared)
  if (problemOfFunction !== undefined) return problemOfFunction
  const given = isObject(format) ? format.json_schema : undefined
  if (!isObject(given)) return undefined
  const isStrict = given.strict === true
  const problem = isStrict || isObject(given.schema) ? checkSchema(given.schema ?? {}, { isStrict }) : undefined
  if (problem === undefined) return undefined
  const subject = `response_format '${toText(given.name)}'`
  return apiError('invalid-response-schema', { subject, problem, path: 'response_format' })
}

/** The first schema of a function that the service refuses. */
export function functionSchemaProblem(
  declared: readonly (readonly [path: string, declared: unknown])[],
): ApiError | undefined {
  for (const [path, one] of declared) {
    // A function without parameters, or with {}, takes no arguments.
    if (!isObject(one) || !isObject(one.parameters) || Object.keys(one.parameters).length === 0) continue
    const problem = checkSchema(one.parameters, { isStrict: one.strict === true })
    if (problem !== undefined)
      return apiError('invalid-function-schema', { subject: `function '${toText(one.name)}'`, problem, path })
  }
  return undefined
}

/** A message without content is allowed for a function, and for an assistant that calls a tool, refuses or has audio. */
function missingContent(body: JsonObject): ApiError | undefined {
  for (const [index, one] of (body.messages as readonly JsonObject[]).entries()) {
    if (one.content !== undefined && one.content !== null) continue
    const { role, tool_calls, function_call, refusal, audio } = one
    if (role === 'function') continue
    if (role === 'assistant' && (tool_calls ?? function_call ?? refusal ?? audio) != null) continue
    return apiError('missing-content', { path: `messages.[${index}].content`, got: 'null' })
  }
  return undefined
}
