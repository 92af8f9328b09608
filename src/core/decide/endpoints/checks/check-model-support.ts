/** Checks of a chat request against what its model supports, as `supports` of the scenario says. */

import { isMissing, isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { Model } from '../../../scenario/compile/compile.ts'

/** True if the answer is to be spoken. */
export const asksForAudio = ({ modalities }: JsonObject): boolean =>
  Array.isArray(modalities) && modalities.includes('audio')

/** A parameter that the model refuses whatever its value. */
export function unsupportedParameter(body: JsonObject, { reasoning, supports }: Model): ApiError | undefined {
  if (reasoning === true && !isMissing(body.max_tokens)) return apiError('max-tokens-unsupported')
  const path = supports?.without?.find((name) => !isMissing(body[name]) && body[name] !== false)
  if (path !== undefined) return apiError('unsupported-parameter', { path })
  const isUnrecognized = supports?.efforts?.length === 0 && !isMissing(body.reasoning_effort)
  return isUnrecognized ? apiError('unrecognized-argument', { name: 'reasoning_effort' }) : undefined
}

/** A value that the model refuses, of fields that are valid on their own. */
export function unsupportedValue(body: JsonObject, { supports }: Model): ApiError | undefined {
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
