/** What a model supports of a chat request, as `supports` of the scenario says. */

import { isMissing, isObject, type JsonObject, objectsIn } from '../../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../../protocol/errors/error-catalogue.ts'
import type { Model, ModelSupport } from '../../../../scenario/compile/compile.ts'
import { asksForAudio } from './consistency.ts'

/** A parameter that the model refuses whatever its value. */
export function unsupportedParameter(body: JsonObject, { reasoning, supports }: Model): ApiError | undefined {
  if (reasoning === true && !isMissing(body.max_tokens)) return apiError('max-tokens-unsupported')
  const path = supports?.without?.find((name) => !isMissing(body[name]) && body[name] !== false)
  if (path !== undefined) return apiError('unsupported-parameter', { path })
  const isUnrecognized = supports?.efforts?.length === 0 && !isMissing(body.reasoning_effort)
  return isUnrecognized ? apiError('unrecognized-argument', { name: 'reasoning_effort' }) : undefined
}

type Rule = (body: JsonObject, supports: ModelSupport) => ApiError | undefined

const onlyDefaults: Rule = (body, { onlyDefault = [] }) => {
  const path = onlyDefault.find((name) => !isMissing(body[name]) && body[name] !== 1)
  return path === undefined ? undefined : apiError('unsupported-default', { path, got: body[path] as number })
}

const choices: Rule = ({ n }, { choices: bound = Number.POSITIVE_INFINITY }) =>
  typeof n === 'number' && n > bound ? apiError('integer-above-max', { path: 'n', bound, got: n }) : undefined

const efforts: Rule = ({ reasoning_effort: got }, { efforts: allowed }) =>
  typeof got !== 'string' || allowed === undefined || (allowed as readonly string[]).includes(got)
    ? undefined
    : apiError('unsupported-value', { path: 'reasoning_effort', got, allowed })

const functionTools: Rule = ({ model, tools, reasoning_effort: effort }, { functionTools: needed }) => {
  if (needed === undefined || effort === 'none') return undefined
  if (needed === 'without effort' && isMissing(effort)) return undefined
  const hasFunction = objectsIn(tools).some(({ type }) => type === 'function')
  return hasFunction ? apiError('tools-with-effort', { model: model as string }) : undefined
}

const jsonSchema: Rule = ({ response_format: format }, { jsonSchema: isSupported }) =>
  isSupported === false && isObject(format) && format.type === 'json_schema'
    ? apiError('json-schema-unsupported')
    : undefined

const audio: Rule = (body, { audio: support }) => {
  const isAsked = asksForAudio(body)
  if (support === 'never' && isAsked)
    return apiError('unsupported-value', { path: 'modalities', got: 'audio', allowed: ['text'] })
  return support === 'required' && !isAsked && !hasAudio(body) ? apiError('audio-required') : undefined
}

const hasAudio = ({ messages }: JsonObject): boolean =>
  objectsIn(messages).some(
    (message) => isObject(message.audio) || objectsIn(message.content).some(({ type }) => type === 'input_audio'),
  )

const rules: readonly Rule[] = [onlyDefaults, choices, efforts, functionTools, jsonSchema, audio]

/** A value that the model refuses, of fields that are valid on their own. */
export function unsupportedValue(body: JsonObject, { supports }: Model): ApiError | undefined {
  if (supports === undefined) return undefined
  for (const rule of rules) {
    const problem = rule(body, supports)
    if (problem !== undefined) return problem
  }
  return undefined
}
