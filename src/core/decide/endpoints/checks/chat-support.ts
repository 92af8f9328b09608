/**
 * Checks of a chat request against what its model supports, such as `supports: { efforts: [low, high], images: false }`
 * in a scenario. They run after the checks of single fields, so each field has the right type.
 */

import { asksForAudio } from '../../../dialects/chat/read-chat.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { USUAL_EFFORT } from '../../../protocol/turn/turn.ts'
import type { Model } from '../../../scenario/compile/compile.ts'

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
  return (
    parameterProblem(body, model, supports) ??
    valueProblem(body, supports) ??
    toolProblem(body, supports) ??
    mediaProblem(body, supports)
  )
}

/** A parameter that the model refuses, or accepts with its default only. */
function parameterProblem(body: JsonObject, model: Model, supports: Support): ApiError | undefined {
  const { never = [], without = [], onlyDefault = [], atEffortNone = [], forbidden = [], efforts } = supports
  const effort = body.reasoning_effort ?? model.effort ?? USUAL_EFFORT
  const isAccepted = (name: (typeof without)[number]): boolean =>
    !hasEffect(name, body[name]) || (effort === 'none' && atEffortNone.includes(name))

  const refused = never.find((name) => !isMissing(body[name])) ?? without.find((name) => !isAccepted(name))
  if (refused !== undefined) return apiError('unsupported-parameter', { path: refused })
  if (forbidden.some((name) => hasEffect(name, body[name]))) return apiError('logprobs-forbidden')
  const neverReasons = efforts?.length === 0
  if (neverReasons && !isMissing(body.reasoning_effort))
    return apiError('unrecognized-argument', { name: 'reasoning_effort' })
  const changed = onlyDefault.find((name) => !isAccepted(name))
  if (changed === undefined) return undefined
  return apiError('unsupported-default', { path: changed, got: body[changed] as number })
}

/** Defaults of numbers that are not 0. */
const DEFAULTS: Readonly<Record<string, number>> = { temperature: 1, top_p: 1 }

/** False for a value that changes nothing. Models that refuse a parameter accept it with such a value. */
function hasEffect(name: string, value: unknown): boolean {
  if (isMissing(value) || value === false) return false
  if (typeof value === 'number') return value !== (DEFAULTS[name] ?? 0)
  return typeof value !== 'object' || Object.keys(value as object).length > 0
}

/** A value that other models accept. */
function valueProblem(body: JsonObject, supports: Support): ApiError | undefined {
  const { n, reasoning_effort: effort, verbosity, top_logprobs: topLogprobs, response_format: format } = body
  const { choices: maxChoices, topLogprobs: maxTopLogprobs } = supports
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
  return undefined
}

/** Tools that the model does not accept, or function tools that it does not accept with this effort. */
function toolProblem(body: JsonObject, supports: Support): ApiError | undefined {
  const tools = objectsIn(body.tools)
  if (supports.tools === false && tools.length > 0) return apiError('tools-unsupported')
  const hasFunctions = tools.some(({ type }) => type === 'function')
  if (!hasFunctions || acceptsFunctions(supports.functionTools, body.reasoning_effort)) return undefined
  return apiError('tools-with-effort', { model: body.model as string })
}

function acceptsFunctions(functionTools: Support['functionTools'], effort: unknown): boolean {
  switch (functionTools) {
    case undefined:
      return true
    case 'with effort none':
      return effort === 'none'
    case 'without effort':
      return effort === 'none' || isMissing(effort)
    case 'in responses only':
      return false
    default:
      return functionTools satisfies never
  }
}

/** An image or audio that the model does not accept, or a request without the audio that it requires. */
function mediaProblem(body: JsonObject, { images, audio }: Support): ApiError | undefined {
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
