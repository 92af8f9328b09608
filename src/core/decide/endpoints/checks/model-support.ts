/** Checks of a request against what its model supports. They run after those of its fields, each of which is valid on its own. */

import { asksForAudio } from '../../../dialects/chat/read-chat.ts'
import { LOGPROBS } from '../../../dialects/responses/read-responses.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { USUAL_EFFORT } from '../../../protocol/turn/turn.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallContext } from '../../call/call-context.ts'

/** The first thing of a chat request that the model does not support. */
export function supportProblem(body: JsonObject, model: Model, supports: Support): ApiError | undefined {
  return (
    parameterProblem(body, model, supports) ??
    valueProblem(body, supports) ??
    toolProblem(body, supports) ??
    mediaProblem(body, supports)
  )
}

type Support = NonNullable<Model['supports']>

/** The key of the body that the model does not know, though other models do. */
export const unknownToModel = (body: JsonObject, { supports }: Model): ApiError | undefined => {
  const path = supports?.unknown?.find((name) => !isMissing(body[name]))
  return path === undefined ? undefined : apiError('unknown-parameter', { path, suggestion: '' })
}

/** A parameter that the model refuses, or takes with its default only. */
function parameterProblem(body: JsonObject, model: Model, supports: Support): ApiError | undefined {
  const { without = [], onlyDefault = [], atEffortNone = [], never = [], forbidden = [], efforts } = supports
  const effort = body.reasoning_effort ?? model.effort ?? USUAL_EFFORT
  const isTaken = (name: (typeof atEffortNone)[number]): boolean => effort === 'none' && atEffortNone.includes(name)
  const refused =
    never.find((name) => !isMissing(body[name])) ??
    without.find((name) => hasEffect(name, body[name]) && !isTaken(name))
  if (refused !== undefined) return apiError('unsupported-parameter', { path: refused })
  if (forbidden.some((name) => hasEffect(name, body[name]))) return apiError('logprobs-forbidden')
  if (efforts?.length === 0 && !isMissing(body.reasoning_effort))
    return apiError('unrecognized-argument', { name: 'reasoning_effort' })
  const changed = onlyDefault.find((name) => hasEffect(name, body[name]) && !isTaken(name))
  return changed === undefined
    ? undefined
    : apiError('unsupported-default', { path: changed, got: body[changed] as number })
}

/** False for a value that changes nothing. Models that refuse a parameter accept it with such a value. */
function hasEffect(name: string, value: unknown): boolean {
  if (isMissing(value) || value === false) return false
  if (typeof value === 'number') return value !== (name === 'temperature' || name === 'top_p' ? 1 : 0)
  return typeof value !== 'object' || Object.keys(value as object).length > 0
}

/** A value that other models take. */
function valueProblem(body: JsonObject, supports: Support): ApiError | undefined {
  const { n, reasoning_effort: effort, verbosity, top_logprobs: top, response_format: format } = body
  const { choices = Number.POSITIVE_INFINITY, efforts, topLogprobs = Number.POSITIVE_INFINITY } = supports
  if (typeof n === 'number' && n > choices) return apiError('integer-above-max', { path: 'n', bound: choices, got: n })
  const listed = [
    ['reasoning_effort', effort, efforts],
    ['verbosity', verbosity, supports.verbosity],
  ] as const
  for (const [path, got, allowed] of listed) {
    if (typeof got === 'string' && allowed !== undefined && !(allowed as readonly string[]).includes(got))
      return apiError('unsupported-value', { path, got, allowed })
  }
  if (typeof top === 'number' && top > topLogprobs) return apiError('top-logprobs-too-many', { limit: topLogprobs })
  if (supports.jsonSchema === false && isObject(format) && format.type === 'json_schema')
    return apiError('json-schema-unsupported', { path: 'response_format' })
  return supports.webSearch === false && isObject(body.web_search_options)
    ? apiError('web-search-unsupported')
    : undefined
}

/** Tools that the model does not take, or not with this effort. */
function toolProblem(body: JsonObject, supports: Support): ApiError | undefined {
  const tools = objectsIn(body.tools)
  if (supports.tools === false && tools.length > 0) return apiError('tools-unsupported')
  const { reasoning_effort: effort } = body
  const { functionTools } = supports
  const isTaken =
    functionTools === undefined ||
    (functionTools !== 'in responses only' && effort === 'none') ||
    (functionTools === 'without effort' && isMissing(effort))
  return isTaken || !tools.some(({ type }) => type === 'function')
    ? undefined
    : apiError('tools-with-effort', { model: body.model as string })
}

/** An image or audio that the model does not accept, or a request without the audio that it requires. */
function mediaProblem(body: JsonObject, { images, audio }: Support): ApiError | undefined {
  const isSpoken = asksForAudio(body)
  let hasAudio = false
  for (const [index, message] of (body.messages as readonly JsonObject[]).entries()) {
    hasAudio ||= isObject(message.audio)
    for (const [part, { type }] of objectsIn(message.content).entries()) {
      if (type === 'image_url' && images === false)
        return apiError('image-unsupported', { path: `messages[${index}].content[${part}].type` })
      if (type !== 'input_audio') continue
      if (audio === 'never') return apiError('audio-unsupported', { path: `messages[${index}]` })
      hasAudio = true
    }
  }
  if (audio === 'never' && isSpoken)
    return apiError('unsupported-value', { path: 'modalities', got: 'audio', allowed: ['text'] })
  return audio !== 'required' || isSpoken || hasAudio ? undefined : apiError('audio-required')
}

const SAMPLING = ['temperature', 'top_p', 'top_logprobs'] as const

/** The first thing of a responses request that the model does not support. */
export function responsesSupportProblem({ body, model, modelRule = {} }: CallContext): ApiError | undefined {
  const { supports = {}, effort: usualEffort = USUAL_EFFORT, snapshot = model } = modelRule
  const { efforts, responsesEfforts = efforts, onlyDefault = [], without = [], forbidden = [] } = supports
  const { effort, summary, generate_summary: oldSummary } = isObject(body.reasoning) ? body.reasoning : NOTHING
  const { verbosity, format } = isObject(body.text) ? body.text : NOTHING
  const include = Array.isArray(body.include) ? body.include : []
  const neverReasons = efforts?.length === 0

  // With the effort none the model samples, so it takes all of them.
  if ((effort ?? usualEffort) !== 'none') {
    const refuses = (name: (typeof SAMPLING)[number]): boolean =>
      (onlyDefault as readonly string[]).includes(name) ||
      (without as readonly string[]).includes(name) ||
      (name === 'top_logprobs' && forbidden.length > 0)
    const path = SAMPLING.find((name) => !isMissing(body[name]) && refuses(name))
    if (path !== undefined) return apiError('unsupported-sampling', { path })
    if (include.includes(LOGPROBS) && refuses('top_logprobs'))
      return apiError('unsupported-sampling', { path: 'include' })
  }
  if (neverReasons) {
    if (!isMissing(effort)) return apiError('unsupported-parameter', { path: 'reasoning.effort' })
    if (!isMissing(summary)) return apiError('unsupported-parameter', { path: 'reasoning.summary' })
    if (include.includes('reasoning.encrypted_content')) return apiError('encrypted-content-unsupported')
  }
  if (typeof effort === 'string' && responsesEfforts !== undefined && !includesText(responsesEfforts, effort))
    return apiError('unsupported-effort', { got: effort, model, allowed: responsesEfforts })
  if (!isMissing(oldSummary) && modelRule.supports !== undefined)
    return apiError('unsupported-setting', { path: 'reasoning.generate_summary', model: snapshot })
  const verbosities = supports.verbosity ?? (neverReasons ? ['medium'] : undefined)
  if (typeof verbosity === 'string' && verbosities !== undefined && !includesText(verbosities, verbosity))
    return apiError('unsupported-value', { path: 'text.verbosity', got: verbosity, allowed: verbosities })
  if (supports.jsonSchema === false && isObject(format) && format.type === 'json_schema')
    return apiError('json-schema-unsupported', { path: 'text.format' })
  if (supports.tools === false && objectsIn(body.tools).length > 0) return apiError('tools-unsupported')
  return supports.images === false ? imageNotTaken(body.input) : undefined
}

const NOTHING: JsonObject = {}
const includesText = (list: readonly string[], text: string): boolean => list.includes(text)

function imageNotTaken(input: unknown): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    const parts = isObject(item) && Array.isArray(item.content) ? item.content : []
    const place = parts.findIndex((part) => isObject(part) && part.type === 'input_image')
    if (place >= 0) return apiError('image-unsupported', { path: `input[${index}].content[${place}].type` })
  }
  return undefined
}
