/** Checks of a chat request against what its model supports. They run after those of its fields. */

import { asksForAudio } from '../../../dialects/chat/read-chat.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { USUAL_EFFORT } from '../../../protocol/turn/turn.ts'
import type { Model } from '../../../scenario/compile/compile.ts'

/** The first thing that the model does not support. Every field is valid on its own. */
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
