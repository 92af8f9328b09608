/** Reads the values of options that are addresses: of an upstream, of a server, of replicas, and of a path. */
import { shorten } from '../../core/lib/text/wording.ts'
import { trimSlashes } from '../../core/protocol/request/endpoint-route.ts'
import { wrongValue } from '../../terminal/option.ts'
import { UsageError } from '../../terminal/usage-error.ts'

const MAX_TARGETS = 1000
const DEFAULT_PORT = '4010'

/**
 * The base URL of a real service.
 * @throws UsageError with what is expected.
 * @example readUpstream('https://api.openai.com/v1')
 */
export function readUpstream(text: string): URL {
  // The messages do not repeat a password.
  const shown = `'${shorten(text.replace(/(?<![^/])[^/]*@/, '***@'))}'`
  const fail = (expected: string, got: string): never => {
    throw new UsageError(`--upstream: expected ${expected}, such as https://api.openai.com/v1, got ${got}.`)
  }
  if (text === '') fail('the base URL of a service', 'nothing')
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return fail('a URL that starts with https:// or http://', shown)
  if (url.username !== '' || url.password !== '') fail('a URL without user name and password', 'one with them')
  if (url.search !== '' || url.hash !== '')
    fail('a URL that ends in /v1', `one that ends in '${shorten(url.search + url.hash)}'`)
  url.pathname = trimSlashes(url.pathname)
  if (!url.pathname.endsWith('/v1')) fail('a URL that ends in /v1', shown)
  return url
}

/** The address of a server. */
export function readServerUrl(given: string, name: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw wrongValue(name, 'an address such as http://127.0.0.1:4010', given)
}

/**
 * The origins in a list with commas: `10.0.0.7:4010,http://10.0.0.8:4010`. Without a scheme, the default port is 4010.
 * @throws UsageError when one is no address, or is there twice.
 */
export function readTargets(text: string): readonly string[] {
  const given = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const targets = given.map((target) => {
    const hasScheme = /^https?:\/\//i.test(target)
    const address = hasScheme ? target : `http://${target}`
    if (!URL.canParse(address)) throw wrongValue('targets', 'an address such as http://10.0.0.7:4010', target)
    const url = new URL(address)
    // A URL without a port has the port of its scheme. An address without one gets that of the server.
    if (!hasScheme && !/:\d+(?:\/|$)/.test(target)) url.port = DEFAULT_PORT
    return url.origin
  })
  if (targets.length === 0 || targets.length > MAX_TARGETS) {
    throw new UsageError(
      `--targets: expected 1 to ${MAX_TARGETS} addresses with commas between them, got ${targets.length}.`,
    )
  }
  const repeated = targets.find((target, index) => targets.indexOf(target) < index)
  if (repeated !== undefined) throw new UsageError(`--targets: ${repeated} is there twice.`)
  return targets
}
