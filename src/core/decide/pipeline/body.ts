/** The body stage: the body is JSON and names a model, and the scenario has that model for this endpoint. */

import { isMissing } from '../../lib/text/json.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { typeName } from '../../protocol/request/field-checks.ts'
import type { CallContext } from '../call/call-context.ts'
import { endpointNamed } from '../endpoints/registry.ts'

const MAX_MODEL_LENGTH = 1000

export function checkBody({ bodyError, body, route }: CallContext): ApiError | undefined {
  if (bodyError !== undefined || !route.readsBody) return bodyError
  const { model } = body
  if (isMissing(model) || model === '') return apiError('model-missing')
  if (typeof model === 'string') {
    // Errors, headers and every chunk of a stream repeat the name.
    const isLong = model.length > MAX_MODEL_LENGTH
    return isLong
      ? apiError('string-too-long', { path: 'model', bound: MAX_MODEL_LENGTH, got: model.length })
      : undefined
  }
  return apiError('invalid-type', { path: 'model', expected: 'a string', got: typeName(model) })
}

export function checkModel({ route, endpoint, model, modelRule, key }: CallContext): ApiError | undefined {
  if (!route.readsBody) return undefined
  const unknown = (): ApiError => apiError('unknown-model', { model: maskKeysIn(model, key) })
  if (modelRule === undefined) return unknown()
  if (modelRule.unavailable === 'deprecated') return apiError('deprecated-model', { model: maskKeysIn(model, key) })
  if (modelRule.unavailable === 'responses-only' && endpoint === 'chat') return apiError('responses-only')
  if (modelRule.endpoint === undefined || modelRule.endpoint === endpoint) return undefined
  return endpointNamed(endpoint).wrongModel?.() ?? unknown()
}
