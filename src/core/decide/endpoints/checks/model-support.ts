/**
 * Checks of a request against what its model supports, such as `supports: { efforts: [low, high], images: false }` in a
 * scenario; first those of a chat, then those of a responses request. They run after the checks of single fields, so each
 * field has the right type.
 */

import { asksForAudio } from '../../../dialects/chat/read-chat.ts'
import { LOGPROBS } from '../../../dialects/responses/read-responses.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { USUAL_EFFORT } from '../../../protocol/turn/turn.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallRequest } from '../../call/call-request.ts'

type Support = NonNullable<Model['supports']>

/** The first parameter that the model does not know, though other models do. */
export function unknownToModel(body: JsonObject, { supports }: Model): ApiError | undefined {
  const path = supports?.unknown?.find((name) => !isMissing(body[name]))
  return path === undefined ? undefined : apiError('unknown-parameter', { path, suggestion: '' })
}

/** The first thing of a chat request that the model does not support. */
export function chatSupportProblem(body: JsonObject, model: Model): ApiError | undefined {
  const { supports } = model
  if (supports === undefined) return undefined
  return parameterProblem(body, model, supports) ?? valueProblem(body, supports) ?? mediaProblem(body, supports)
}

/** A parameter that the model refuses, or accepts with its default only. */
function parameterProblem(body: JsonObject, model: Model, supports: Support): ApiError | undefined {
  const { never = [], without = [], onlyDefault = [], atEffortNone = [], forbidden = [] } = supports
  const effort = body.reasoning_effort ?? model.effort ?? USUAL_EFFORT
  const isRefusedValue = (name: (typeof without)[number]): boolean =>
    hasEffect(name, body[name]) && !(effort === 'none' && atEffortNone.includes(name))

  const refused = never.find((name) => !isMissing(body[name])) ?? without.find(isRefusedValue)
  if (refused !== undefined) return apiError('unsupported-parameter', { path: refused })
  if (forbidden.some((name) => hasEffect(name, body[name]))) return apiError('logprobs-forbidden')
  // A model with `efforts: []` never reasons.
  if (supports.efforts?.length === 0 && !isMissing(body.reasoning_effort))
    return apiError('unrecognized-argument', { name: 'reasoning_effort' })
  const changed = onlyDefault.find(isRefusedValue)
  if (changed === undefined) return undefined
  return apiError('unsupported-default', { path: changed, got: body[changed] as number })
}

/** Defaults of parameters that are numbers; 0 for all others. */
const DEFAULTS: Readonly<Record<string, number>> = { temperature: 1, top_p: 1 }

/** False for a value that changes nothing. Models that refuse a parameter accept it with such a value. */
function hasEffect(name: string, value: unknown): boolean {
  if (isMissing(value) || value === false) return false
  if (typeof value === 'number') return value !== (DEFAULTS[name] ?? 0)
  return typeof value !== 'object' || Object.keys(value as object).length > 0
}

/** A value or a tool that other models accept. */
function valueProblem(body: JsonObject, supports: Support): ApiError | undefined {
  const { n, reasoning_effort: effort, verbosity, top_logprobs: topLogprobs, response_format: format } = body
  const { choices: maxChoices, topLogprobs: maxTopLogprobs, functionTools } = supports
  if (typeof n === 'number' && maxChoices !== undefined && n > maxChoices)
    return apiError('integer-above-max', { path: 'n', bound: maxChoices, got: n })
  const listed = [
    ['reasoning_effort', effort, supports.efforts],
    ['verbosity', verbosity, supports.verbosity],
  ] as const
  for (const [path, got, allowed] of listed) {
    if (typeof got === 'string' && allowed !== undefined && !(allowed as readonly string[]).includes(got))
      return apiError('unsupported-value', { path, got, allowed })
  }
  if (typeof topLogprobs === 'number' && maxTopLogprobs !== undefined && topLogprobs > maxTopLogprobs)
    return apiError('top-logprobs-too-many', { limit: maxTopLogprobs })
  if (supports.jsonSchema === false && isObject(format) && format.type === 'json_schema')
    return apiError('json-schema-unsupported', { path: 'response_format' })
  if (supports.webSearch === false && isObject(body.web_search_options)) return apiError('web-search-unsupported')
  const tools = objectsIn(body.tools)
  if (supports.tools === false && tools.length > 0) return apiError('tools-unsupported')
  if (functionTools === undefined || !tools.some(({ type }) => type === 'function')) return undefined
  const isAccepted = EFFORTS_WITH_FUNCTIONS[functionTools].includes(effort)
  return isAccepted ? undefined : apiError('tools-with-effort', { model: body.model as string })
}

/** The values of `reasoning_effort` with which a model accepts function tools. */
const EFFORTS_WITH_FUNCTIONS: Readonly<Record<NonNullable<Support['functionTools']>, readonly unknown[]>> = {
  'with effort none': ['none'],
  'without effort': ['none', undefined, null],
  'in responses only': [],
}

/** An image or audio that the model does not accept, or a request without the audio that it requires. */
function mediaProblem(body: JsonObject, { images, audio }: Support): ApiError | undefined {
  // A sound in the request is enough for a model that requires audio.
  let hearsAudio = false
  for (const [index, message] of (body.messages as readonly JsonObject[]).entries()) {
    // An earlier answer in audio, which the message refers to.
    if (isObject(message.audio)) hearsAudio = true
    for (const [part, { type }] of objectsIn(message.content).entries()) {
      if (type === 'image_url' && images === false)
        return apiError('image-unsupported', { path: `messages[${index}].content[${part}].type` })
      if (type !== 'input_audio') continue
      if (audio === 'never') return apiError('audio-unsupported', { path: `messages[${index}]` })
      hearsAudio = true
    }
  }
  const speaks = asksForAudio(body)
  if (audio === 'never' && speaks)
    return apiError('unsupported-value', { path: 'modalities', got: 'audio', allowed: ['text'] })
  return audio === 'required' && !speaks && !hearsAudio ? apiError('audio-required') : undefined
}

/* The Responses API. */

/** The first thing of a responses request that the model does not support. */
export function responsesSupportProblem({ body, model }: CallRequest, modelRule: Model = {}): ApiError | undefined {
  const { supports = {} } = modelRule
  const problem = samplingProblem(body, modelRule) ?? reasoningProblem(body, model, modelRule)
  if (problem !== undefined) return problem
  const { verbosity: got, format } = settingsIn(body.text)
  const allowed = supports.verbosity ?? (supports.efforts?.length === 0 ? ['medium'] : undefined)
  if (typeof got === 'string' && allowed !== undefined && !includes(allowed, got))
    return apiError('unsupported-value', { path: 'text.verbosity', got, allowed })
  if (supports.jsonSchema === false && isObject(format) && format.type === 'json_schema')
    return apiError('json-schema-unsupported', { path: 'text.format' })
  if (supports.tools === false && objectsIn(body.tools).length > 0) return apiError('tools-unsupported')
  return supports.images === false ? inputImageProblem(body.input) : undefined
}

const settingsIn = (value: unknown): JsonObject => (isObject(value) ? value : {})
const includes = (list: unknown, text: string): boolean => Array.isArray(list) && list.includes(text)

const SAMPLING = ['temperature', 'top_p', 'top_logprobs'] as const

/** A sampling parameter that the model refuses while it reasons. With the effort none it samples, and accepts all of them. */
function samplingProblem(body: JsonObject, { supports = {}, effort: usualEffort }: Model): ApiError | undefined {
  const { onlyDefault, without, forbidden = [] } = supports
  if ((settingsIn(body.reasoning).effort ?? usualEffort ?? USUAL_EFFORT) === 'none') return undefined
  const isRefused = (name: (typeof SAMPLING)[number]): boolean =>
    includes(onlyDefault, name) || includes(without, name) || (name === 'top_logprobs' && forbidden.length > 0)
  const path = SAMPLING.find((name) => !isMissing(body[name]) && isRefused(name))
  if (path !== undefined) return apiError('unsupported-sampling', { path })
  if (includes(body.include, LOGPROBS) && isRefused('top_logprobs'))
    return apiError('unsupported-sampling', { path: 'include' })
  return undefined
}

/** A setting of `reasoning` that the model does not know, or a value that other models accept. */
function reasoningProblem(body: JsonObject, model: string, modelRule: Model): ApiError | undefined {
  const { supports, snapshot = model } = modelRule
  if (supports === undefined) return undefined
  const { effort, summary, generate_summary: oldSummary } = settingsIn(body.reasoning)
  if (supports.efforts?.length === 0) {
    if (!isMissing(effort)) return apiError('unsupported-parameter', { path: 'reasoning.effort' })
    if (!isMissing(summary)) return apiError('unsupported-parameter', { path: 'reasoning.summary' })
    if (includes(body.include, 'reasoning.encrypted_content')) return apiError('encrypted-content-unsupported')
  }
  const efforts = supports.responsesEfforts ?? supports.efforts
  if (typeof effort === 'string' && efforts !== undefined && !includes(efforts, effort))
    return apiError('unsupported-effort', { got: effort, model, allowed: efforts })
  if (!isMissing(oldSummary))
    return apiError('unsupported-setting', { path: 'reasoning.generate_summary', model: snapshot })
  return undefined
}

/** The first image, which the model does not accept. */
function inputImageProblem(input: unknown): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    const parts = isObject(item) && Array.isArray(item.content) ? item.content : []
    const place = parts.findIndex((part) => isObject(part) && part.type === 'input_image')
    if (place >= 0) return apiError('image-unsupported', { path: `input[${index}].content[${place}].type` })
  }
  return undefined
}
