/** The route stage: 404 for an unknown path and for a real one that the mock does not simulate, 405 for a method that the path does not accept. */

import { maskKeysInPath } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { nearestRoute } from '../../protocol/request/endpoint-route.ts'
import type { CallContext } from '../call/call-context.ts'

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
