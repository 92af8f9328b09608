/** The chat request: its fields as tables, in the order in which the real service checks them. */

import type { CallContext } from '../../call/call-context.ts'
import { parameterCheck } from '../../call/unknown-parameters.ts'
import { type ApiError, apiError } from '../../errors/catalogue.ts'
import {
  anyObject,
  arrayOf,
  boolean,
  decimal,
  dictionary,
  either,
  type Field,
  integer,
  object,
  oneOf,
  problemAmong,
  table,
  text,
  variant,
} from '../../request/field-checks.ts'
import { contentText } from '../../request/messages.ts'
import { isObject, type JsonObject } from '../../text/json.ts'
import { crossProblem } from './consistency.ts'
import { type ResponseFormat, readResponseFormat, schemaProblem } from './response-format.ts'

const name = text({ min: 1 })
const declaredName = text({ min: 1, max: 64, pattern: /^[a-zA-Z0-9_-]+$/ })
const functionDeclaration: readonly Field[] = [
  { name: 'name', check: declaredName, required: true },
  { name: 'description', check: text() },
  { name: 'parameters', check: anyObject },
  { name: 'strict', check: boolean },
]
const customDeclaration: readonly Field[] = [
  { name: 'name', check: declaredName, required: true },
  { name: 'description', check: text() },
  {
    name: 'format',
    check: variant('type', {
      text: [],
      grammar: [
        {
          name: 'grammar',
          check: object([
            { name: 'definition', check: text(), required: true },
            { name: 'syntax', check: oneOf('lark', 'regex'), required: true },
          ]),
          required: true,
        },
      ],
    }),
  },
]
const namedFunction = object([{ name: 'name', check: name, required: true }])
const tool = variant('type', {
  function: [{ name: 'function', check: object(functionDeclaration), required: true }],
  custom: [{ name: 'custom', check: object(customDeclaration), required: true }],
})
const toolCall = variant('type', {
  function: [
    { name: 'id', check: name, required: true },
    {
      name: 'function',
      check: object([
        { name: 'name', check: name, required: true },
        { name: 'arguments', check: text(), required: true },
      ]),
      required: true,
    },
  ],
  custom: [
    { name: 'id', check: name, required: true },
    {
      name: 'custom',
      check: object([
        { name: 'name', check: name, required: true },
        { name: 'input', check: text(), required: true },
      ]),
      required: true,
    },
  ],
})

const contentPart = variant('type', {
  text: [{ name: 'text', check: text(), required: true }],
  refusal: [{ name: 'refusal', check: text(), required: true }],
  image_url: [
    {
      name: 'image_url',
      check: object([
        { name: 'url', check: text(), required: true },
        { name: 'detail', check: oneOf('auto', 'low', 'high') },
      ]),
      required: true,
    },
  ],
  input_audio: [
    {
      name: 'input_audio',
      check: object([
        { name: 'data', check: text(), required: true },
        { name: 'format', check: oneOf('wav', 'mp3'), required: true },
      ]),
      required: true,
    },
  ],
  file: [{ name: 'file', check: anyObject, required: true }],
})
const content = either(text(), arrayOf(contentPart, 'objects'))

// The order of the roles is the one in which the service lists them.
const message = variant('role', {
  system: [
    { name: 'content', check: content },
    { name: 'name', check: text() },
  ],
  assistant: [
    { name: 'content', check: content },
    { name: 'refusal', check: text() },
    { name: 'name', check: text() },
    { name: 'tool_calls', check: arrayOf(toolCall, 'objects', { min: 1 }) },
    {
      name: 'function_call',
      check: object([
        { name: 'name', check: name, required: true },
        { name: 'arguments', check: text(), required: true },
      ]),
    },
  ],
  user: [
    { name: 'content', check: content },
    { name: 'name', check: text() },
  ],
  function: [
    { name: 'content', check: content },
    { name: 'name', check: name, required: true },
  ],
  tool: [
    { name: 'content', check: content },
    { name: 'tool_call_id', check: name, required: true },
  ],
  developer: [
    { name: 'content', check: content },
    { name: 'name', check: text() },
  ],
})

const responseFormat = variant('type', {
  text: [],
  json_object: [],
  json_schema: [
    {
      name: 'json_schema',
      check: object([
        { name: 'name', check: declaredName, required: true },
        { name: 'description', check: text() },
        { name: 'schema', check: anyObject },
        { name: 'strict', check: boolean },
      ]),
      required: true,
    },
  ],
})

const toolChoice = either(
  oneOf('none', 'auto', 'required'),
  variant('type', {
    function: [{ name: 'function', check: namedFunction, required: true }],
    allowed_tools: [
      {
        name: 'allowed_tools',
        check: object([
          { name: 'mode', check: oneOf('auto', 'required'), required: true },
          { name: 'tools', check: arrayOf(anyObject, 'objects'), required: true },
        ]),
        required: true,
      },
    ],
    custom: [{ name: 'custom', check: namedFunction, required: true }],
  }),
)

const penalty = decimal({ min: -2, max: 2 })

/** Every optional field with its check, in the service's order; fields it checks in no known order come last. */
const optionalFields: readonly Field[] = [
  { name: 'functions', check: arrayOf(object(functionDeclaration), 'objects', { min: 1, max: 128 }) },
  { name: 'function_call', check: either(oneOf('none', 'auto'), namedFunction) },
  { name: 'tools', check: arrayOf(tool, 'objects', { max: 128 }) },
  { name: 'tool_choice', check: toolChoice },
  { name: 'parallel_tool_calls', check: boolean },
  { name: 'max_completion_tokens', check: integer({ min: 1 }) },
  { name: 'n', check: integer({ min: 1, max: 128 }) },
  { name: 'temperature', check: decimal({ min: 0, max: 2 }) },
  { name: 'top_p', check: decimal({ min: 0, max: 1 }) },
  { name: 'presence_penalty', check: penalty },
  { name: 'frequency_penalty', check: penalty },
  { name: 'logprobs', check: boolean },
  { name: 'top_logprobs', check: integer({ min: 0, max: 20 }) },
  { name: 'user', check: text() },
  { name: 'seed', check: integer() },
  { name: 'moderation', check: anyObject },
  { name: 'safety_identifier', check: text() },
  { name: 'prompt_cache_options', check: anyObject },
  { name: 'prompt_cache_key', check: text() },
  { name: 'prompt_cache_retention', check: text() },
  { name: 'response_format', check: responseFormat },
  { name: 'service_tier', check: oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast') },
  { name: 'max_tokens', check: integer({ min: 1 }) },
  { name: 'reasoning_effort', check: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max') },
  { name: 'logit_bias', check: dictionary(decimal({ min: -100, max: 100 }), { maxKeys: 1024, maxKeyLength: 16 }) },
  { name: 'stop', check: either(text(), arrayOf(text(), 'strings', { min: 1, max: 4 })) },
  { name: 'stream', check: boolean },
  {
    name: 'stream_options',
    check: object([
      { name: 'include_usage', check: boolean },
      { name: 'include_obfuscation', check: boolean },
    ]),
  },
  { name: 'store', check: boolean },
  { name: 'metadata', check: dictionary(text({ max: 512 }), { maxKeys: 16, maxKeyLength: 64 }) },
  { name: 'prediction', check: variant('type', { content: [{ name: 'content', check: content, required: true }] }) },
  { name: 'verbosity', check: oneOf('low', 'medium', 'high') },
  { name: 'modalities', check: arrayOf(oneOf('text', 'audio'), 'strings') },
  { name: 'audio', check: anyObject },
  { name: 'web_search_options', check: anyObject },
]

const messagesField: Field = { name: 'messages', check: arrayOf(message, 'objects', { min: 1 }), required: true }
const fields = table([messagesField, ...optionalFields])

/** Every parameter that the service knows. */
export const CHAT_PARAMETERS: readonly string[] = ['model', ...fields.positions.keys()]
const parameters = parameterCheck(CHAT_PARAMETERS)
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
  readonly includeObfuscation: boolean
  readonly serviceTier: string
  readonly format: ResponseFormat
  /** `reasoning_effort`; the default is medium. */
  readonly effort: string
  /** How many of the most likely tokens to list for each token; undefined without `logprobs`. */
  readonly topLogprobs: number | undefined
  /** The text of `prediction`; undefined without one. */
  readonly prediction: string | undefined
}

/** The first problem of a chat request, in the service's order. */
export function checkChat(context: CallContext): ApiError | undefined {
  const { body } = context
  if (body.messages === undefined || body.messages === null) return apiError('missing-parameter', { path: 'messages' })
  return parameters.check(context) ?? unsupportedByModel(context) ?? context.once(problemIn) ?? tooManyTokens(context)
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
    stops: body.stop === undefined || body.stop === null ? [] : ([body.stop].flat() as string[]).filter(Boolean),
    maxTokens: (body.max_completion_tokens ?? body.max_tokens ?? Number.POSITIVE_INFINITY) as number,
    isStream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    includeObfuscation: streamOptions.include_obfuscation === true,
    serviceTier: answeredTier(body.service_tier),
    format: readResponseFormat(body.response_format),
    effort: (body.reasoning_effort as string | null | undefined) ?? 'medium',
    topLogprobs: body.logprobs === true ? ((body.top_logprobs as number | null | undefined) ?? 0) : undefined,
    prediction: isObject(body.prediction) ? contentText(body.prediction.content) : undefined,
  }
}

function unsupportedByModel({ body, modelRule }: CallContext): ApiError | undefined {
  const isGiven = body.max_tokens !== undefined && body.max_tokens !== null
  return modelRule?.reasoning === true && isGiven ? apiError('max-tokens-unsupported') : undefined
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
  return asked === 'flex' || asked === 'scale' ? asked : 'default'
}
