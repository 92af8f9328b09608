/** The checks of a chat request, in the order of the real service. */

import { checkStrictSchema } from '../../../lib/json-schema/strict-mode.ts'
import { isMissing, isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { contentText } from '../../../protocol/request/chat-messages.ts'
import { problemAmong, unknownAmong } from '../../../protocol/request/field-checks.ts'
import { namesInChoice, readTools } from '../../../protocol/request/tools.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallContext } from '../../call/call-context.ts'
import { CHAT_FIELDS, CHECKED_CHAT_FIELDS } from './chat-fields.ts'
import { parameterCheck } from './unknown-parameters.ts'

const parameters = parameterCheck(CHAT_FIELDS.names, (body) => unknownAmong(CHAT_FIELDS, body))
export const chatNotes = parameters.notes

/** The first problem of a chat request. */
export function checkChat(context: CallContext): ApiError | undefined {
  const { body } = context
  if (body.messages === undefined) return apiError('missing-parameter', { path: 'messages' })
  const { modelRule = {} } = context
  const problem =
    parameters.check(context) ??
    unsupportedParameter(body, modelRule) ??
    context.once(problemIn) ??
    unsupportedValue(body, modelRule) ??
    (context.scenario.strict ? context.once(imageProblem) : undefined)
  const limit = modelRule.maxOutputTokens
  if (problem !== undefined || limit === undefined) return problem
  for (const path of ['max_completion_tokens', 'max_tokens']) {
    const asked = body[path]
    if (typeof asked === 'number' && asked > limit) return apiError('max-tokens-too-large', { path, asked, limit })
  }
  return undefined
}

/** The first problem that the body has whatever the scenario. */
const problemIn = (body: JsonObject): ApiError | undefined =>
  problemAmong(CHECKED_CHAT_FIELDS, body) ??
  inconsistency(body) ??
  toolMessageProblem(body) ??
  audioProblem(body) ??
  schemaProblem(body) ??
  missingContent(body)

/** The first problem between fields that are valid on their own. */
function inconsistency(body: JsonObject): ApiError | undefined {
  const hasNoTools = objectsIn(body.tools).length === 0
  if (!isMissing(body.tool_choice) && hasNoTools) return apiError('tool-choice-alone')
  if (!isMissing(body.parallel_tool_calls) && hasNoTools) return apiError('parallel-tool-calls-alone')
  if (!isMissing(body.max_tokens) && !isMissing(body.max_completion_tokens)) return apiError('two-token-limits')
  const named = namesInChoice(isMissing(body.tools) ? body.function_call : body.tool_choice)
  if (named.length > 0) {
    const { declared } = readTools(body)
    const unknown = named.find((name) => !declared.some((tool) => tool.name === name))
    if (unknown !== undefined) return apiError('undeclared-function', { name: unknown })
  }
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

/** The first schema that the service would refuse: first those of the tools, then that of the response format. */
function schemaProblem({ tools, response_format: format }: JsonObject): ApiError | undefined {
  for (const [index, tool] of Array.isArray(tools) ? tools.entries() : []) {
    const declared = isObject(tool) ? tool.function : undefined
    if (!isObject(declared) || !isObject(declared.parameters)) continue
    const { name, parameters, strict } = declared
    const { type } = parameters
    let problem = strict === true ? checkStrictSchema(parameters) : undefined
    // Without `strict`, the parameters only have to describe an object.
    if (strict !== true && type !== undefined && type !== 'object')
      problem = `schema must be a JSON Schema of 'type: "object"', got 'type: "${toText(type)}"'.`
    if (problem === undefined) continue
    const path = `tools[${index}].function.parameters`
    return apiError('invalid-function-schema', { subject: `function '${toText(name)}'`, problem, path })
  }
  const given = isObject(format) ? format.json_schema : undefined
  if (!isObject(given) || given.strict !== true) return undefined
  const problem = checkStrictSchema(given.schema ?? {})
  if (problem === undefined) return undefined
  const subject = `response_format '${toText(given.name)}'`
  return apiError('invalid-response-schema', { subject, problem, path: 'response_format' })
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

/** The first bytes of the formats that the service reads: PNG, JPEG, GIF and WebP. */
const SIGNATURES = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[\s\S]{4}WEBP/]
/** The base64 of the first 12 bytes, which tell the format. */
const SIGNATURE_LENGTH = 16
const DATA_URL = /^data:[^,]{0,200};base64,/
/** Hosts that no service on the internet can reach: this machine, private networks, and reserved names. */
const UNREACHABLE =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\])|\.(?:localhost|local|internal|invalid|test)$/

/** The first image that the service could not read, in a scenario with strict validation. Nothing is downloaded. */
function imageProblem({ messages }: JsonObject): ApiError | undefined {
  for (const { image_url: image } of objectsIn(messages).flatMap(({ content }) => objectsIn(content))) {
    if (!isObject(image) || typeof image.url !== 'string') continue
    const { url } = image
    const [prefix] = DATA_URL.exec(url) ?? []
    if (prefix === undefined) {
      if (!URL.canParse(url) || UNREACHABLE.test(new URL(url).hostname))
        return apiError('image-download-failed', { url })
      continue
    }
    let bytes = ''
    try {
      bytes = atob(url.slice(prefix.length, prefix.length + SIGNATURE_LENGTH))
    } catch {
      // It is not base64.
    }
    if (!SIGNATURES.some((signature) => signature.test(bytes))) return apiError('invalid-image')
  }
  return undefined
}

/** True if the answer is to be spoken. */
export const asksForAudio = ({ modalities }: JsonObject): boolean =>
  Array.isArray(modalities) && modalities.includes('audio')

/** A parameter that the model refuses whatever its value. */
function unsupportedParameter(body: JsonObject, { reasoning, supports }: Model): ApiError | undefined {
  if (reasoning === true && !isMissing(body.max_tokens)) return apiError('max-tokens-unsupported')
  const path = supports?.without?.find((name) => !isMissing(body[name]) && body[name] !== false)
  if (path !== undefined) return apiError('unsupported-parameter', { path })
  const isUnrecognized = supports?.efforts?.length === 0 && !isMissing(body.reasoning_effort)
  return isUnrecognized ? apiError('unrecognized-argument', { name: 'reasoning_effort' }) : undefined
}

/** A value that the model refuses, of fields that are valid on their own. */
function unsupportedValue(body: JsonObject, { supports }: Model): ApiError | undefined {
  if (supports === undefined) return undefined
  const { n, tools, reasoning_effort: effort, response_format: format } = body
  const changed = supports.onlyDefault?.find((name) => !isMissing(body[name]) && body[name] !== 1)
  if (changed !== undefined) return apiError('unsupported-default', { path: changed, got: body[changed] as number })

  if (typeof n === 'number' && supports.choices !== undefined && n > supports.choices)
    return apiError('integer-above-max', { path: 'n', bound: supports.choices, got: n })

  const { efforts } = supports
  if (typeof effort === 'string' && efforts !== undefined && !(efforts as readonly string[]).includes(effort))
    return apiError('unsupported-value', { path: 'reasoning_effort', got: effort, allowed: efforts })

  const needed = supports.functionTools
  const isWithout = effort === 'none' || (needed === 'without effort' && isMissing(effort))
  if (needed !== undefined && !isWithout && objectsIn(tools).some(({ type }) => type === 'function'))
    return apiError('tools-with-effort', { model: body.model as string })

  if (supports.jsonSchema === false && isObject(format) && format.type === 'json_schema')
    return apiError('json-schema-unsupported')

  const isSpoken = asksForAudio(body)
  if (supports.audio === 'never' && isSpoken)
    return apiError('unsupported-value', { path: 'modalities', got: 'audio', allowed: ['text'] })
  if (supports.audio !== 'required' || isSpoken) return undefined
  const hasAudio = objectsIn(body.messages).some(
    (message) => isObject(message.audio) || objectsIn(message.content).some(({ type }) => type === 'input_audio'),
  )
  return hasAudio ? undefined : apiError('audio-required')
}
