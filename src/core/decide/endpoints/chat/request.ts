/** The chat request: its fields as tables, in the order in which the real service checks them. */

import { AUDIO_FORMATS, type AudioFormat } from '../../../lib/audio/formats.ts'
import { isMissing, isObject, type JsonObject } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { contentText } from '../../../protocol/request/chat-messages.ts'
import {
  anyObject,
  anything,
  arrayOf,
  boolean,
  decimal,
  dictionary,
  either,
  integer,
  object,
  oneOf,
  problemAmong,
  required,
  table,
  text,
  unknownAmong,
  variant,
} from '../../../protocol/request/field-checks.ts'
import type { CallContext } from '../../call/call-context.ts'
import { parameterCheck } from '../../call/unknown-parameters.ts'
import { asksForAudio, crossProblem } from './checks/consistency.ts'
import { imageProblem } from './checks/image-problem.ts'
import { unsupportedParameter, unsupportedValue } from './checks/model-support.ts'
import { type ResponseFormat, readResponseFormat, schemaProblem } from './response-format.ts'

const name = text({ min: 1 })
const declaredName = text({ min: 1, max: 64, pattern: /^[a-zA-Z0-9_-]+$/ })
const functionFields = { name: required(declaredName), description: text(), parameters: anyObject }
const grammar = object({ definition: required(text()), syntax: required(oneOf('lark', 'regex')) })
const customDeclaration = object({
  name: required(declaredName),
  description: text(),
  format: variant('type', { text: {}, grammar: { grammar: required(grammar) } }),
})
const namedFunction = object({ name: required(name) })
// The official client sends answers back with what it has parsed, and the service lets it pass.
const calledFunction = object({ name: required(name), arguments: required(text()), parsed_arguments: anything })
const calledCustom = object({ name: required(name), input: required(text()) })
const tool = variant('type', {
  function: { function: required(object({ ...functionFields, strict: boolean })) },
  custom: { custom: required(customDeclaration) },
})
const toolCall = variant('type', {
  function: { id: required(name), function: required(calledFunction) },
  custom: { id: required(name), custom: required(calledCustom) },
})

const breakpoint = object({ mode: required(oneOf('explicit')), ttl: oneOf('30m', '12h') })
const textPart = { text: required(text()), prompt_cache_breakpoint: breakpoint }
const contentPart = variant('type', {
  text: textPart,
  refusal: { refusal: required(text()) },
  image_url: {
    image_url: required(object({ url: required(text()), detail: oneOf('auto', 'low', 'high', 'original') })),
    prompt_cache_breakpoint: breakpoint,
  },
  input_audio: {
    input_audio: required(object({ data: required(text()), format: required(oneOf('wav', 'mp3')) })),
    prompt_cache_breakpoint: breakpoint,
  },
  file: {
    file: required(object({ file_data: text(), file_id: text(), filename: text() })),
    prompt_cache_breakpoint: breakpoint,
  },
})
const content = either(text(), arrayOf(contentPart, 'objects'))
const predictedContent = either(text(), arrayOf(variant('type', { text: textPart }), 'objects'))

// The order of the roles is the one in which the service lists them.
const message = variant('role', {
  system: { content, name: text() },
  assistant: {
    content,
    refusal: text(),
    name: text(),
    audio: object({ id: required(text()) }),
    tool_calls: arrayOf(toolCall, 'objects', { min: 1 }),
    function_call: calledFunction,
    annotations: arrayOf(anyObject, 'objects'),
    parsed: anything,
  },
  user: { content, name: text() },
  function: { content, name: required(name) },
  // LangChain sends the name of the tool too.
  tool: { content, tool_call_id: required(name), name: text() },
  developer: { content: required(content), name: text() },
})

const jsonSchema = object({
  name: required(declaredName),
  description: text(),
  schema: anyObject,
  strict: boolean,
})
const responseFormat = variant('type', {
  json_object: {},
  json_schema: { json_schema: required(jsonSchema) },
  text: {},
})

const allowedTools = object({
  mode: required(oneOf('auto', 'required')),
  tools: required(arrayOf(anyObject, 'objects')),
})
const toolChoice = either(
  oneOf('none', 'auto', 'required'),
  variant('type', {
    function: { function: required(namedFunction) },
    allowed_tools: { allowed_tools: required(allowedTools) },
    custom: { custom: required(namedFunction) },
  }),
)

const moderationPolicy = object({ mode: required(oneOf('score', 'block')) })
const approximateLocation = object({ city: text(), country: text(), region: text(), timezone: text() })
/** Sixteen texts by their names. */
export const metadata = dictionary(text({ max: 512 }), {
  maxKeys: 16,
  maxKeyLength: 64,
  expected: 'a metadata object',
})
const penalty = decimal({ min: -2, max: 2 })

/** Every field with its check, in the service's order; fields it checks in no known order come last. */
const fields = table({
  messages: required(arrayOf(message, 'objects', { min: 1 })),
  functions: arrayOf(object(functionFields), 'objects', { min: 1, max: 128 }),
  function_call: either(oneOf('none', 'auto'), namedFunction),
  tools: arrayOf(tool, 'objects', { max: 128 }),
  tool_choice: toolChoice,
  parallel_tool_calls: boolean,
  max_completion_tokens: integer({ min: 1 }),
  n: integer({ min: 1, max: 128 }),
  temperature: decimal({ min: 0, max: 2 }),
  top_p: decimal({ min: 0, max: 1 }),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  logprobs: boolean,
  top_logprobs: integer({ min: 0, max: 20 }),
  user: text(),
  seed: integer({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  moderation: object({
    model: required(text()),
    policy: object({ input: moderationPolicy, output: moderationPolicy }),
  }),
  safety_identifier: text({ max: 128 }),
  prompt_cache_options: object({ mode: oneOf('implicit', 'explicit'), ttl: oneOf('30m') }),
  prompt_cache_key: text(),
  prompt_cache_retention: oneOf('in_memory', '24h'),
  response_format: responseFormat,
  service_tier: oneOf('auto', 'default', 'fast', 'flex', 'priority'),
  max_tokens: integer({ min: 1 }),
  reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  logit_bias: dictionary(decimal({ min: -100, max: 100 }), { maxKeys: 1024, maxKeyLength: 16 }),
  stop: either(text(), arrayOf(text(), 'strings', { min: 1, max: 4 })),
  stream: boolean,
  stream_options: object({ include_usage: boolean, include_obfuscation: boolean }),
  store: boolean,
  metadata,
  prediction: variant('type', { content: { content: required(predictedContent) } }),
  verbosity: oneOf('low', 'medium', 'high'),
  modalities: arrayOf(oneOf('text', 'audio'), 'strings'),
  audio: object({
    format: required(oneOf(...Object.keys(AUDIO_FORMATS))),
    voice: required(either(text(), object({ id: required(text()) }))),
  }),
  web_search_options: object({
    search_context_size: oneOf('low', 'medium', 'high'),
    user_location: object({ type: required(oneOf('approximate')), approximate: required(approximateLocation) }),
  }),
})

/** Every field that the service knows. */
export const CHAT_FIELDS = table({ model: text(), ...fields.fields })

const parameters = parameterCheck(CHAT_FIELDS.names, (body) => unknownAmong(CHAT_FIELDS, body))
export const chatNotes = parameters.notes

/** A chat request that passed its checks, as far as the mock acts on it. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly JsonObject[]
  readonly n: number
  readonly stops: readonly string[]
  readonly maxTokens: number
  readonly isStream: boolean
  readonly includeUsage: boolean
  /** Undefined when the request does not say; then it depends on the scenario. */
  readonly includeObfuscation: boolean | undefined
  readonly serviceTier: string
  readonly format: ResponseFormat
  /** `reasoning_effort`; the default is medium. */
  readonly effort: string
  /** How many of the most likely tokens to list for each token; undefined without `logprobs`. */
  readonly topLogprobs: number | undefined
  /** The text of `prediction`; undefined without one. */
  readonly prediction: string | undefined
  /** The format of the audio to answer with; undefined for an answer without audio. */
  readonly audioFormat: AudioFormat | undefined
}

/** The first problem of a chat request, in the service's order. */
export function checkChat(context: CallContext): ApiError | undefined {
  const { body } = context
  if (body.messages === undefined) return apiError('missing-parameter', { path: 'messages' })
  const { modelRule = {} } = context
  return (
    parameters.check(context) ??
    unsupportedParameter(body, modelRule) ??
    context.once(problemIn) ??
    unsupportedValue(body, modelRule) ??
    (context.scenario.strict ? context.once(imageProblem) : undefined) ??
    tooManyTokens(context)
  )
}

/** The first problem that the body has whatever the scenario. */
function problemIn(body: JsonObject): ApiError | undefined {
  return problemAmong(fields, body) ?? crossProblem(body) ?? schemaProblem(body) ?? missingContent(body)
}

/** The request, once `checkChat` found no problem. */
export const readChat = (context: CallContext): ChatRequest => context.once(requestOf)

function requestOf(body: JsonObject): ChatRequest {
  const streamOptions = isObject(body.stream_options) ? body.stream_options : {}
  return {
    model: body.model as string,
    messages: body.messages as readonly JsonObject[],
    n: (body.n as number | null | undefined) ?? 1,
    stops: isMissing(body.stop) ? [] : ([body.stop].flat() as string[]).filter(Boolean),
    maxTokens: (body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY) as number,
    isStream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    includeObfuscation: (streamOptions.include_obfuscation as boolean | null | undefined) ?? undefined,
    serviceTier: answeredTier(body.service_tier),
    format: readResponseFormat(body.response_format),
    effort: (body.reasoning_effort as string | null | undefined) ?? 'medium',
    topLogprobs: body.logprobs === true ? ((body.top_logprobs as number | null | undefined) ?? 0) : undefined,
    prediction: isObject(body.prediction) ? contentText(body.prediction.content) : undefined,
    audioFormat: asksForAudio(body) && isObject(body.audio) ? (body.audio.format as AudioFormat) : undefined,
  }
}

function tooManyTokens({ body, modelRule }: CallContext): ApiError | undefined {
  const limit = modelRule?.maxOutputTokens
  if (limit === undefined) return undefined
  for (const path of ['max_completion_tokens', 'max_tokens']) {
    const asked = body[path]
    if (typeof asked === 'number' && asked > limit) return apiError('max-tokens-too-large', { path, asked, limit })
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

function answeredTier(asked: unknown): string {
  if (asked === 'fast' || asked === 'priority') return 'priority'
  return asked === 'flex' ? asked : 'default'
}
