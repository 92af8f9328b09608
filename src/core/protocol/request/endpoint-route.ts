/** Routes: which endpoint a path belongs to. Derived from the descriptions of the endpoints. */
import { decodePercent } from '../../lib/text/bytes.ts'
import { nearest } from '../../lib/text/did-you-mean.ts'
import { ENDPOINTS, type Endpoint, type EndpointDescription, NO_CHARGE, type RoutedEndpoint } from './endpoints.ts'
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

const fixed = new Map<string, PathRoutes>()
const patterns: (PathRoutes & { readonly pattern: RegExp })[] = []

const described = Object.entries<EndpointDescription>(ENDPOINTS).flatMap(([endpoint, { routes, ...description }]) =>
  routes.map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { method, path, route: { ...description, endpoint: endpoint as Endpoint, name } }
  }),
)

for (const path of new Set(described.map((one) => one.path))) {
  const here = described.filter((one) => one.path === path)
  const allow = here.map(({ method }) => method).join(', ')
  const byMethod = new Map(
    here.map(({ method, route }) => [method, { ...route, allow, accepts: true, parsesBody: method === 'POST' }]),
  )
  const main = byMethod.get(here[0]!.method)!
  const known = { byMethod, wrongMethod: { ...main, name: '', accepts: false, readsBody: false, parsesBody: false } }
  if (!path.includes('{')) fixed.set(path, known)
  else {
    const pattern = path.replace(/\{(\+?)\w+\}/, (_, plus) => (plus === '' ? '([^/]+)' : '(.+)'))
    patterns.push({ ...known, pattern: new RegExp(`^${pattern}$`) })
  }
}

export function routeOf(method: string, path: string): EndpointRoute {
  const known = fixed.get(path)
  if (known !== undefined) return known.byMethod.get(method) ?? known.wrongMethod
  for (const { pattern, byMethod, wrongMethod } of patterns) {
    const parameter = pattern.exec(path)?.[1]
    if (parameter !== undefined && !isOperation(method, path))
      return { ...(byMethod.get(method) ?? wrongMethod), parameter: decodePercent(parameter) }
  }
  const advice = adviceFor(path)
  return advice === undefined ? UNKNOWN : { ...UNKNOWN, parsesBody: method === 'POST', advice }
}

/** The known path that an unknown one resembles: `POST /v1/chat/completions`. */
export function nearestRoute(path: string): string | null {
  const bare = trimSlashes(path)
  const withBase = bare.startsWith('/v1/') ? bare : `/v1${bare}`
  const name = nearest(withBase, [...fixed.keys()], 1)[0]
  return name === undefined ? null : described.find(({ path }) => path === name)!.route.name
}

/** Removes the slashes at the end of an address. Not with `/\/+$/`, whose time would grow with the square of a row of slashes. */
export function trimSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
