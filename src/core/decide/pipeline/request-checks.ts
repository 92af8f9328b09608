/**
 * The checks of the pipeline that do not depend on the endpoint: `refuseUnread` for the route, the session and the key of a
 * call, `checkBody` for its body and its model, `checkMatch` for a call that no reply rule matches.
 */

import { isMissing } from '../../lib/text/json.ts'
import { maskKeysIn, maskKeysInPath, maskRefusedKey } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { type Plan, planOf } from '../../protocol/plan/plan.ts'
import { typeName } from '../../protocol/request/field-checks.ts'
import { nearestRoute } from '../../protocol/request/request-path.ts'
import type { Answer } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { prependNotes, refuse, refuseForMock } from '../call/respond.ts'

/** The most characters of the name of a model: errors, headers and every chunk of a stream repeat it. */
const MAX_MODEL_LENGTH = 1000

/**
 * The answer to a call that is not accepted, whatever its body is: that of the stages for its route, its session and its
 * key, or of a CORS preflight, which passes none.
 */
export function refuseUnread(context: CallContext): Answer {
  const { call, route, sessionError, key } = context
  const { method, path, transport } = call
  if (method === 'OPTIONS') return { plan: answerPreflight(context) }
  if (route.allow !== undefined && !route.accepts)
    return refuse(context, 'route', apiError('wrong-method', { allow: route.allow }))
  const shown = maskKeysInPath(path, key)
  if (route.advice !== undefined) {
    // A real path that the mock does not simulate.
    const error = apiError('not-simulated', { method, path: shown, advice: route.advice })
    return prependNotes(refuse(context, 'route', error), [route.advice])
  }
  if (!route.accepts) {
    const hasPage = transport === 'http' && !path.startsWith('/v1')
    const error = apiError('unknown-url', { method, path: shown, nearest: nearestRoute(path), hasPage })
    return refuse(context, 'route', error)
  }
  if (sessionError !== undefined) return refuseForMock(context, sessionError)
  const error = key === '' ? apiError('missing-key') : apiError('invalid-key', { maskedKey: maskRefusedKey(key) })
  return refuse(context, 'key', error)
}

/** The answer to a CORS preflight: every page may call, with every header that it names. */
function answerPreflight(context: CallContext): Plan {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': `${context.route.allow ?? 'POST'}, OPTIONS`,
    // With credentials absent, * covers all headers but Authorization, which must be named.
    'access-control-allow-headers':
      context.call.headers['access-control-request-headers'] ?? 'authorization, content-type',
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '86400',
    vary: 'Origin, Access-Control-Request-Headers',
  }
  return planOf(204, headers, '', { by: 'preflight', name: 'preflight' })
}

/**
 * The first problem of a body: it is not JSON, names no model, names one that the scenario does not have at this endpoint, or has
 * no answer in a scenario of recorded ones.
 */
export function checkBody(context: CallContext): ApiError | undefined {
  const { scenario, route, request, rules, key } = context
  const { error } = request.parsed
  if (error !== undefined || !route.readsBody) return error
  const { endpoint } = route
  const { body, model } = request
  const { modelRule } = rules
  if (model.length > MAX_MODEL_LENGTH)
    return apiError('string-too-long', { path: 'model', bound: MAX_MODEL_LENGTH, got: model.length })
  if (model === '') {
    if (!isMissing(body.model) && body.model !== '')
      return apiError('invalid-type', { path: 'model', expected: 'a string', got: typeName(body.model) })
    return route.readsItems ? apiError('missing-parameter', { path: 'model' }) : apiError('model-missing')
  }
  if (scenario.isCassette && rules.search.found === undefined)
    return apiError('not-recorded', { endpoint, model, nearest: rules.nearMiss?.text })
  const unknown = (): ApiError =>
    apiError(route.readsItems ? 'requested-model-unknown' : 'unknown-model', { model: maskKeysIn(model, key) })
  if (modelRule === undefined) return unknown()

  const { unavailable, endpoint: served = endpoint } = modelRule
  if (unavailable === 'deprecated') return apiError('deprecated-model', { model: maskKeysIn(model, key) })
  if (endpoint === 'chat') {
    if (unavailable === undefined && served === 'chat') return undefined
    const isInResponses = unavailable === undefined ? served === 'responses' : unavailable === 'responses-only'
    return apiError(isInResponses ? 'responses-only' : 'not-a-chat-model')
  }
  if (endpoint === 'embeddings') return served === endpoint ? undefined : apiError('not-an-embedding-model')
  // A model of the chat endpoint serves responses too.
  const isServed = served === endpoint || served === 'chat' || served === 'responses'
  return isServed && unavailable !== 'other-endpoints' ? undefined : unknown()
}

/** With `unmatched: refuse`, a chat that no reply rule matches is a 404 that names the nearest one. */
export function checkMatch(context: CallContext): ApiError | undefined {
  const { route, rules } = context
  if (!route.hasMessages || rules.search.found !== undefined) return undefined
  const nearest = rules.nearMiss
  return apiError('no-match', { nearest: nearest === undefined ? 'It has no rules for chats.' : `${nearest.text}.` })
}
