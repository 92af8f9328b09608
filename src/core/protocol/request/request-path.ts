/**
 * Reads the path of a request: first its address (the beginning of the API's path, the session and the Azure deployment), then
 * its route (the endpoint that the rest of the path belongs to, and what a call to it may do).
 *
 *     /v1/chat/completions                          path /v1/chat/completions
 *     /any/base/v1/chat/completions                 the same
 *     /any/base/s/t1/v1/chat/completions            the same, session t1
 *     /openai/v1/chat/completions                   the same; Azure: the key may be in the header api-key
 *     /openai/deployments/gpt-4o/chat/completions   the same; Azure: the deployment gpt-4o names the model
 */

import { decodePercent } from '../../lib/text/bytes.ts'
import { nearest } from '../../lib/text/did-you-mean.ts'
import { NO_CHARGE } from './charge.ts'
import { ENDPOINTS, type Endpoint, type EndpointDescription, type RoutedEndpoint } from './endpoints.ts'
import { adviceFor } from './not-simulated.ts'

/** The address of a call. */
export interface Address {
  /** The path of the API, from `/v1` on. */
  readonly path: string
  /** As it was sent, valid or not. */
  readonly session: string | undefined
  /** The Azure deployment: the model of a body that names none. */
  readonly deployment: string | undefined
  /** True if the key may be in the header `api-key`, as Azure takes it. */
  readonly acceptsApiKey: boolean
}

/** The address of a call to a server: below any path that ends in `/v1`, below an address of Azure, or below `basePath`. */
export function readAddress(pathname: string, basePath?: string): Address {
  const configured = basePath === undefined ? undefined : readAddressBelow(basePath, pathname)
  if (configured !== undefined) return configured
  const found = pathname.startsWith('/v1/') ? undefined : findPath(pathname)
  return found ?? { ...PLAIN, path: pathname }
}

/** An address of the API of OpenAI without a session. */
const PLAIN: Address = { path: '', session: undefined, deployment: undefined, acceptsApiKey: false }

/** The address of a call below a base path; undefined for any other path. */
export function readAddressBelow(basePath: string, pathname: string): Address | undefined {
  const version = basePath.endsWith('/v1') ? '/v1' : ''
  const base = basePath.slice(0, basePath.length - version.length)
  if (!pathname.startsWith(`${base}/`)) return undefined
  const below = pathname.slice(base.length)
  const [, session, rest = below] = SESSION.exec(below) ?? []
  if (!rest.startsWith(`${version}/`)) return undefined
  const isAzure = /\/openai(?:\/|$)/.test(base)
  if (version !== '') return { ...PLAIN, path: rest, session, acceptsApiKey: isAzure }
  // The base path may end before the version, or before the `/openai` of Azure.
  const whole = isAzure ? `/openai${rest}` : rest
  const address = /^\/(?:v1|openai)(?:\/|$)/.test(whole) ? findPath(whole) : undefined
  if (address === undefined) return { ...PLAIN, path: `/v1${rest}`, session }
  return { ...address, session: session ?? address.session }
}

// With `s`, because a line break in the path would make these take quadratic time. The base URL of a session may have been
// joined with two slashes: `/s/t1//v1`.
/** `/s/t1/chat/completions` */
const SESSION = /^\/s\/([^/]*)\/*(\/.*)$/s
/** `/any/base/s/t1/v1/chat/completions`, `/openai/v1/models` */
const VERSION = /^.*?(?:\/s\/([^/]*)\/*)?(?:\/openai)?(\/v1(?:\/.*)?)$/s
/** `/s/t1/openai/deployments/gpt-4o/chat/completions` */
const DEPLOYMENT = /^.*?(?:\/s\/([^/]*)\/*)?\/openai\/deployments\/([^/]+)(\/.*)$/s
/** An address of Azure without a version or a deployment: `/openai/models` */
const AZURE = /^.*?(?:\/s\/([^/]*)\/*)?\/openai(\/.*)$/s

/** Finds the path of the API after the first part that can end a base path. */
function findPath(pathname: string): Address | undefined {
  const [, deployedSession, deployment, operation] = DEPLOYMENT.exec(pathname) ?? []
  if (deployment !== undefined) {
    const azure = { deployment: decodePercent(deployment), acceptsApiKey: true }
    return { path: `/v1${operation}`, session: deployedSession, ...azure }
  }
  const [, session, path] = VERSION.exec(pathname) ?? []
  if (path !== undefined) return { ...PLAIN, path, session, acceptsApiKey: pathname.includes('/openai/') }
  const [, azureSession, azurePath] = AZURE.exec(pathname) ?? []
  return azurePath === undefined
    ? undefined
    : { ...PLAIN, path: `/v1${azurePath}`, session: azureSession, acceptsApiKey: true }
}

/** The name of a session: characters that need no escapes in an address. */
export const SESSION_NAME = /^[\w.~-]{1,128}$/
/** The form of the name of a session, for messages. */
export const SESSION_NAMES = "1 to 128 letters, digits, '.', '_', '~' or '-'"

/** The base URL of a session: `http://127.0.0.1:4010/s/t1/v1` for `http://127.0.0.1:4010/v1`. */
export const sessionUrl = (baseUrl: string, session: string): string =>
  baseUrl.replace(/(?:\/v1)?$/, (version) => `/s/${session}${version}`)

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
  for (const { pattern, byMethod, wrongMethod } of allPaths) {
    const parameter = pattern?.exec(path)?.[1]
    // An operation of the service whose path looks like that of a stored response.
    const isOperation = method === 'POST' && path === '/v1/responses/compact'
    if (parameter === undefined || isOperation) continue
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

/** Every route of every endpoint. */
const allRoutes = Object.entries<EndpointDescription>(ENDPOINTS).flatMap(([endpoint, { routes, ...description }]) =>
  routes.map((name) => {
    const [method = '', path = ''] = name.split(' ')
    return { ...description, endpoint: endpoint as Endpoint, name, method, path }
  }),
)

/** The routes of each path by their methods, and the route of any other method. Two endpoints may share a path. */
const allPaths = [...new Set(allRoutes.map(({ path }) => path))].map((path) => {
  const routes = allRoutes.filter((route) => route.path === path)
  const allow = routes.map(({ method }) => method).join(', ')
  const byMethod = new Map<string, EndpointRoute>()
  for (const route of routes) {
    byMethod.set(route.method, { ...route, allow, accepts: true, parsesBody: route.method === 'POST' })
  }
  const wrongMethod = { ...routes[0]!, allow, name: '', accepts: false, readsBody: false, parsesBody: false }
  // `{id}` is one segment, `{+model}` may contain slashes.
  const source = path.replace(/\{(\+?)\w+\}/, (_, plus) => (plus === '' ? '([^/]+)' : '(.+)'))
  return { path, byMethod, wrongMethod, pattern: source === path ? undefined : new RegExp(`^${source}$`) }
})
const fixedPaths = new Map(allPaths.filter(({ pattern }) => pattern === undefined).map((each) => [each.path, each]))

/** The known path that an unknown one resembles: `POST /v1/chat/completions`. */
export function nearestRoute(path: string): string | null {
  const bare = trimSlashes(path)
  const withBase = bare.startsWith('/v1/') ? bare : `/v1${bare}`
  const nearestPath = nearest(withBase, [...fixedPaths.keys()], 1)[0]
  return allRoutes.find((route) => route.path === nearestPath)?.name ?? null
}

/** Removes the slashes at the end of an address. Not with `/\/+$/`, whose time would grow with the square of a row of slashes. */
export function trimSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
