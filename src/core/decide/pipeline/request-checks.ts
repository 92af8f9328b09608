/** The checks that refuse a request for what it is: its path, its key, its body, its model, and that no rule matches it. */

import { isMissing } from '../../lib/text/json.ts'
import { maskKeysIn, maskKeysInPath, maskRefusedKey } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { nearestRoute } from '../../protocol/request/endpoint-route.ts'
import { typeName } from '../../protocol/request/field-checks.ts'
import type { CallContext } from '../call/call-context.ts'
import { endpointNamed } from '../endpoints/registry.ts'

const MAX_MODEL_LENGTH = 1000

/** 404 for an unknown path and for a real one that the mock does not simulate, 405 for a method that the path does not accept. */
export function checkRoute({ call, route, key }: CallContext): ApiError | undefined {
  const { method, path, transport } = call
  if (route.accepts) return undefined
  if (route.allow !== undefined) return apiError('wrong-method', { allow: route.allow })
  const shown = maskKeysInPath(path, key)
  if (route.advice !== undefined) return apiError('not-simulated', { method, path: shown, advice: route.advice })
  return apiError('unknown-url', {
    method,
    path: shown,
    nearest: nearestRoute(path),
    hasPage: transport === 'http' && !path.startsWith('/v1'),
  })
}

/** 401 without a key, and with a key that the scenario does not accept. */
export function checkKey(context: CallContext): ApiError | undefined {
  if (context.key === '') return apiError('missing-key')
  return context.keyRule === undefined ? apiError('invalid-key', { maskedKey: maskRefusedKey(context.key) }) : undefined
}

/** True if a call is refused whatever its body is. */
export const isRefusedUnread = (context: CallContext): boolean =>
  context.call.method !== 'OPTIONS' && (checkRoute(context) ?? context.sessionError ?? checkKey(context)) !== undefined

/** The body is JSON and names a model. */
export function checkBody({ bodyError, body, route, model }: CallContext): ApiError | undefined {
  if (bodyError !== undefined || !route.readsBody) return bodyError
  // Errors, headers and every chunk of a stream repeat the name.
  if (model.length > MAX_MODEL_LENGTH)
    return apiError('string-too-long', { path: 'model', bound: MAX_MODEL_LENGTH, got: model.length })
  if (model !== '') return undefined
  if (!isMissing(body.model) && body.model !== '')
    return apiError('invalid-type', { path: 'model', expected: 'a string', got: typeName(body.model) })
  return route.readsItems ? apiError('missing-parameter', { path: 'model' }) : apiError('model-missing')
}

/** The scenario has the model for this endpoint; one of recorded answers has an answer to the request. */
export function checkModel(context: CallContext): ApiError | undefined {
  const { scenario, route, endpoint, model, modelRule, key } = context
  if (!route.readsBody) return undefined
  if (scenario.isCassette && context.matchedRule === undefined)
    return apiError('not-recorded', { endpoint, model, nearest: context.nearMiss?.text })
  const unknown = (): ApiError =>
    apiError(route.readsItems ? 'requested-model-unknown' : 'unknown-model', { model: maskKeysIn(model, key) })
  if (modelRule === undefined) return unknown()
  if (modelRule.unavailable === 'deprecated') return apiError('deprecated-model', { model: maskKeysIn(model, key) })
  if (modelRule.unavailable !== undefined && endpoint === 'chat')
    return apiError(modelRule.unavailable === 'responses-only' ? 'responses-only' : 'not-a-chat-model')
  if (modelRule.unavailable === 'other-endpoints' && route.readsItems) return unknown()
  const served = modelRule.endpoint
  if (served === undefined || served === endpoint) return undefined
  // A model of the chat endpoint serves responses too.
  if (route.readsItems && (served === 'chat' || served === 'responses')) return undefined
  if (served === 'responses' && endpoint === 'chat') return apiError('responses-only')
  return endpointNamed(endpoint).wrongModel?.() ?? unknown()
}

/** With `unmatched: refuse`, a chat that no reply rule matches is a 404 that names the nearest one. */
export function checkMatch(context: CallContext): ApiError | undefined {
  if (!context.scenario.refusesUnmatched || !context.route.hasMessages || context.matchedRule !== undefined)
    return undefined
  const nearest = context.nearMiss
  return apiError('no-match', { nearest: nearest === undefined ? 'It has no rules for chats.' : `${nearest.text}.` })
}
