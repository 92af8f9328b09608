/** Routes: which endpoint a path belongs to. Derived from the descriptions of the endpoints. */
import { nearest } from '../text/did-you-mean.ts'
import { trimSlashes } from '../text/trim-slashes.ts'
import { ENDPOINTS, type Endpoint, type EndpointDescription, type RoutedEndpoint } from './endpoints.ts'

/** The endpoint of a call and its properties. */
export interface Route extends Pick<EndpointDescription, 'hasMessages' | 'estimateTokens'> {
  readonly endpoint: RoutedEndpoint
  /** The one method it takes besides OPTIONS; undefined for an unknown path. */
  readonly allow: EndpointDescription['method'] | undefined
  /** Whether the body of this call is read: the endpoint reads one, and the method is right. */
  readonly readsBody: boolean
  /** The value of the path's parameter: the model of `/v1/models/{model}`. */
  readonly parameter?: string
}

const UNKNOWN: Route = {
  endpoint: 'unknown',
  allow: undefined,
  readsBody: false,
  hasMessages: false,
  estimateTokens: () => 0,
}

const fixed = new Map<string, Route>()
/** By what comes before the parameter: `/v1/models/`. */
const prefixed = new Map<string, Route>()
for (const [name, description] of Object.entries(ENDPOINTS)) {
  const { method, readsBody, hasMessages, estimateTokens } = description
  const route = { endpoint: name as Endpoint, allow: method, readsBody, hasMessages, estimateTokens }
  for (const path of description.paths) {
    const prefix = path.replace(/\{\w+\}$/, '')
    if (prefix === path) fixed.set(path, route)
    else prefixed.set(prefix, route)
  }
}

export function routeOf(method: string, path: string): Route {
  const route = fixed.get(path) ?? parameterRoute(path)
  return route.readsBody && method !== route.allow ? { ...route, readsBody: false } : route
}

function parameterRoute(path: string): Route {
  for (const [prefix, route] of prefixed) {
    if (path.startsWith(prefix) && path.length > prefix.length) {
      return { ...route, parameter: decode(path.slice(prefix.length)) }
    }
  }
  return UNKNOWN
}

/** The known path that an unknown one resembles: `POST /v1/chat/completions`. */
export function nearestRoute(path: string): string | null {
  const bare = trimSlashes(path)
  const withBase = bare.startsWith('/v1/') ? bare : `/v1${bare}`
  const name = nearest(withBase, [...fixed.keys()], 1)[0]
  return name === undefined ? null : `${fixed.get(name)!.allow} ${name}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
