/** The route stage: 404 for an unknown path, 405 for a method that the path does not accept. */

import type { CallContext } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import { nearestRoute } from '../request/route.ts'
import { maskKeysInPath } from '../text/mask-keys.ts'

export function checkRoute({ call, route, key }: CallContext): ApiError | undefined {
  const { method, path, transport } = call
  if (route.allow === undefined)
    return apiError('unknown-url', {
      method,
      path: maskKeysInPath(path, key),
      nearest: nearestRoute(path),
      hasPage: transport === 'http' && !path.startsWith('/v1'),
    })
  return route.accepts ? undefined : apiError('wrong-method', { allow: route.allow })
}
