/**
 * Routes: finds the endpoint that a path belongs to, and what a call to it may do. Derived from the descriptions of the
 * endpoints (endpoints.ts).
 */

import { decodePercent } from '../../lib/text/bytes.ts'
import { nearest } from '../../lib/text/did-you-mean.ts'
import { NO_CHARGE } from './charge.ts'
import { ENDPOINTS, type Endpoint, type EndpointDescription, type RoutedEndpoint } from './endpoints.ts'
import { adviceFor, isOperation } from './not-simulated.ts'

/** The endpoint of a call and its properties. */
export interface EndpointRoute
  extends Pick<EndpointDescription, 'hasMessages' | 'readsItems' | 'estimateCharge' | 'answerLimit'> {
  readonly endpoint: RoutedEndpoint
  /** The route as it is described, such as `GET /v1/models/{+model}`; '' when the method is wrong. */
  readonly name: string
  /** The methods that the path takes besides OPTIONS: `POST, GET`; undefined for an unknown path. */
  readonly allow: string | undefined
  /** True if the path takes the method. */
  readonly accepts: boolean
  /** True if the body of this call is read: the endpoint reads one, and the method is right. */
  readonly readsBody: boolean
  /** True if the body of this call is JSON, with a model in it or not. */
  readonly parsesBody: boolean
  /** The advice for the client of a real path that the mock does not simulate. */
  readonly advice?: string
  /** The value of the path's parameter: the model of `/v1/models/{+model}`. */
  readonly parameter?: string
}

/**
 * The route of a call.
 * @example routeOf('GET', '/v1/models/gpt-4o') // { endpoint: 'models', name: 'GET /v1/models/{+model}', parameter: 'gpt-4o', ... }
 */
export function routeOf(method: string, path: string): EndpointRoute {
  const routes = fixedPaths.get(path)
  if (routes !== undefined) return routes.byMethod.get(method) ?? routes.wrongMethod
  for (const { pattern, byMethod, wrongMethod } of patternPaths) {
    const parameter = pattern.exec(path)?.[1]
    if (parameter === undefined || isOperation(method, path)) continue
    return { ...(byMethod.get(method) ?? wrongMethod), parameter: decodePercent(parameter) }
  }
  const advice = adviceFor(path)
  return advice === undefined ? UNKNOWN : { ...UNKNOWN, parsesBody: method === 'POST', advice }
}

/** The route of a path that belongs to no endpoint. */
const UNKNOWN: EndpointRoute = {
  endpoint: 'unknown',
  name: '',
  allow: undefined,
  accepts: false,
  readsBody: false,
  parsesBody: false,
  hasMessages: false,
  estimateCharge: () => NO_CHARGE,
  answerLimit: 0,
}

/** The routes of one path by their methods, and the route of any other method. */
interface PathRoutes {
  readonly byMethod: ReadonlyMap<string, EndpointRoute>
  readonly wrongMethod: EndpointRoute
}

/** The routes of paths without a parameter. */
const fixedPaths = new Map<string, PathRoutes>()
/** The routes of paths with a parameter. */
const patternPaths: (PathRoutes & { readonly pattern: RegExp })[] = []

/** Every route of every endpoint. Two endpoints may share a path, with different methods. */
const allRoutes = Object.entries<EndpointDescription>(ENDPOINTS).flatMap(([endpoint, { routes, ...description }]) =>
  routes.map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { method, path, route: { ...description, endpoint: endpoint as Endpoint, name } }
  }),
)

for (const path of new Set(allRoutes.map((described) => described.path))) {
  const ofPath = allRoutes.filter((described) => described.path === path)
  const allow = ofPath.map(({ method }) => method).join(', ')
  const byMethod = new Map<string, EndpointRoute>()
  for (const { method, route } of ofPath) {
    byMethod.set(method, { ...route, allow, accepts: true, parsesBody: method === 'POST' })
  }
  const main = byMethod.get(ofPath[0]!.method)!
  const wrongMethod = { ...main, name: '', accepts: false, readsBody: false, parsesBody: false }
  if (path.includes('{')) patternPaths.push({ byMethod, wrongMethod, pattern: patternOf(path) })
  else fixedPaths.set(path, { byMethod, wrongMethod })
}

/** The pattern of a path with a parameter: `{id}` is one segment, `{+model}` may contain slashes. */
function patternOf(path: string): RegExp {
  const pattern = path.replace(/\{(\+?)\w+\}/, (_, plus) => (plus === '' ? '([^/]+)' : '(.+)'))
  return new RegExp(`^${pattern}$`)
}

/** The known path that an unknown one resembles: `POST /v1/chat/completions`. */
export function nearestRoute(path: string): string | null {
  const bare = trimSlashes(path)
  const withBase = bare.startsWith('/v1/') ? bare : `/v1${bare}`
  const nearestPath = nearest(withBase, [...fixedPaths.keys()], 1)[0]
  const known = allRoutes.find((described) => described.path === nearestPath)
  return known === undefined ? null : known.route.name
}

/** Removes the slashes at the end of an address. Not with `/\/+$/`, whose time would grow with the square of a row of slashes. */
export function trimSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
