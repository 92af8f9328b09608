/** Checks of a responses request against what its model supports. They run after those of its fields. */

import { LOGPROBS } from '../../../dialects/responses/read-responses.ts'
import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { USUAL_EFFORT } from '../../../protocol/turn/turn.ts'
import type { CallContext } from '../../call/call-context.ts'

const SAMPLING = ['temperature', 'top_p', 'top_logprobs'] as const

/** The first thing that the model does not support. Every field is valid on its own. */
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
