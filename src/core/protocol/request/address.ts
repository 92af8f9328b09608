/**
 * The address in the path of a request: the beginning of the API's path, the session and the Azure deployment.
 *
 *     /v1/chat/completions
 *     /any/base/v1/chat/completions
 *     /any/base/s/<session>/v1/chat/completions
 *     /openai/v1/chat/completions                         Azure: the key may be in the header api-key
 *     /openai/deployments/<deployment>/chat/completions   Azure: the deployment names the model
 */
import { decodePercent } from '../../lib/text/bytes.ts'

export type Address = Readonly<ReturnType<typeof addressOf>>

/** The address of a call to a server: below any path that ends in `/v1`, below an address of Azure, or below `basePath`. */
export function readAddress(pathname: string, basePath?: string): Address {
  const configured = basePath === undefined ? undefined : readAddressBelow(basePath, pathname)
  if (configured !== undefined) return configured
  return pathname.startsWith('/v1/') ? addressOf(pathname) : (findPath(pathname) ?? addressOf(pathname))
}

/** The address of a call below a base path; undefined for any other path. */
export function readAddressBelow(basePath: string, pathname: string): Address | undefined {
  const version = basePath.endsWith('/v1') ? '/v1' : ''
  const base = basePath.slice(0, basePath.length - version.length)
  if (!pathname.startsWith(`${base}/`)) return undefined
  const below = pathname.slice(base.length)
  const [, session, rest = below] = SESSION.exec(below) ?? []
  if (!rest.startsWith(`${version}/`)) return undefined
  const isAzure = /\/openai(?:\/|$)/.test(base)
  if (version !== '') return addressOf(rest, session, isAzure)
  // The base path may end before the version, or before the `/openai` of Azure.
  const whole = isAzure ? `/openai${rest}` : rest
  const address = /^\/(?:v1|openai)(?:\/|$)/.test(whole) ? findPath(whole) : undefined
  return address === undefined ? addressOf(`/v1${rest}`, session) : { ...address, session: session ?? address.session }
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
  const deployed = DEPLOYMENT.exec(pathname)
  if (deployed !== null) {
    const [, session, deployment, rest] = deployed
    return addressOf(`/v1${rest}`, session, true, decodePercent(deployment!))
  }
  const versioned = VERSION.exec(pathname)
  if (versioned !== null) {
    const [, session, path] = versioned
    return addressOf(path!, session, pathname.includes('/openai/'))
  }
  const azure = AZURE.exec(pathname)
  return azure === null ? undefined : addressOf(`/v1${azure[2]}`, azure[1], true)
}

/**
 * An address.
 * @param path the path of the API, from `/v1` on.
 * @param session as it was sent, valid or not.
 * @param acceptsApiKey true if the key may be in the header `api-key`, as Azure takes it.
 * @param deployment the Azure deployment: the model of a body that names none.
 */
const addressOf = (path: string, session?: string, acceptsApiKey = false, deployment?: string) => ({
  path,
  session,
  deployment,
  acceptsApiKey,
})

/** The name of a session: characters that need no escapes in an address. */
export const SESSION_NAME = /^[\w.~-]{1,128}$/
/** The form of the name of a session, for messages. */
export const SESSION_NAMES = "1 to 128 letters, digits, '.', '_', '~' or '-'"

/** The base URL of a session: `http://127.0.0.1:4010/s/t1/v1` for `http://127.0.0.1:4010/v1`. */
export const sessionUrl = (baseUrl: string, session: string): string =>
  baseUrl.replace(/(?:\/v1)?$/, (version) => `/s/${session}${version}`)
