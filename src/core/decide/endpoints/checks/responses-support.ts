/**
 * Checks of a responses request against what its model supports, such as `supports: { efforts: [low, high] }` in a
 * scenario. They run after the checks of single fields, so each field has the right type.
 */

import { LOGPROBS } from '../../../dialects/responses/read-responses.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { USUAL_EFFORT } from '../../../protocol/turn/turn.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallRequest } from '../../call/call-request.ts'

type Support = NonNullable<Model['supports']>

/** The first thing of a responses request that the model does not support. */
export function responsesSupportProblem({ body, model }: CallRequest, modelRule: Model = {}): ApiError | undefined {
  const { supports = {} } = modelRule
  const problem =
    samplingProblem(body, modelRule) ?? reasoningProblem(body, model, modelRule) ?? textProblem(body, supports)
  if (problem !== undefined) return problem
  if (supports.tools === false && objectsIn(body.tools).length > 0) return apiError('tools-unsupported')
  return supports.images === false ? imageProblem(body.input) : undefined
}

const NOTHING: JsonObject = {}
const settingsIn = (value: unknown): JsonObject => (isObject(value) ? value : NOTHING)
const includes = (list: unknown, text: string): boolean => Array.isArray(list) && list.includes(text)
/** True for a model with `efforts: []`. */
const neverReasons = ({ efforts }: Support): boolean => efforts?.length === 0

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
  if (neverReasons(supports)) {
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

/** A setting of `text` that other models accept. */
function textProblem(body: JsonObject, supports: Support): ApiError | undefined {
  const { verbosity, format } = settingsIn(body.text)
  const verbosities = supports.verbosity ?? (neverReasons(supports) ? ['medium'] : undefined)
  if (typeof verbosity === 'string' && verbosities !== undefined && !includes(verbosities, verbosity))
    return apiError('unsupported-value', { path: 'text.verbosity', got: verbosity, allowed: verbosities })
  if (supports.jsonSchema === false && isObject(format) && format.type === 'json_schema')
    return apiError('json-schema-unsupported', { path: 'text.format' })
  return undefined
}

/** The first image, which the model does not accept. */
function imageProblem(input: unknown): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    const parts = isObject(item) && Array.isArray(item.content) ? item.content : []
    const place = parts.findIndex((part) => isObject(part) && part.type === 'input_image')
    if (place >= 0) return apiError('image-unsupported', { path: `input[${index}].content[${place}].type` })
  }
  return undefined
}
