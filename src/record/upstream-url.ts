/** The base URL of the real service, as the user gives it. */
import { shorten } from '../core/lib/text/shorten.ts'
import { trimSlashes } from '../core/lib/text/trim-slashes.ts'

/**
 * Reads a base URL.
 * @throws with what is expected.
 * @example readUpstream('https://api.openai.com/v1')
 */
export function readUpstream(text: string): URL {
  // The messages do not repeat a password.
  const shown = `'${shorten(text.replace(/(?<![^/])[^/]*@/, '***@'))}'`
  const fail = (expected: string, got: string): never => {
    throw new Error(`--upstream: expected ${expected}, such as https://api.openai.com/v1, got ${got}.`)
  }
  if (text === '') fail('the base URL of a service', 'nothing')
  if (!URL.canParse(text)) fail('a URL that starts with https:// or http://', shown)
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') fail('a URL that starts with https:// or http://', shown)
  if (url.username !== '' || url.password !== '') fail('a URL without user name and password', 'one with them')
  if (url.search !== '' || url.hash !== '')
    fail('a URL that ends in /v1', `one that ends in '${shorten(url.search + url.hash)}'`)
  url.pathname = trimSlashes(url.pathname)
  if (!url.pathname.endsWith('/v1')) fail('a URL that ends in /v1', shown)
  return url
}
