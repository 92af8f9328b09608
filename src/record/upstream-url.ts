/** The base URL of the real service, as the user gives it. */

/**
 * Reads a base URL.
 * @throws with what is expected.
 * @example readUpstream('https://api.openai.com/v1')
 */
export function readUpstream(text: string): URL {
  const fail = (expected: string, got: string): never => {
    throw new Error(`--upstream: expected ${expected}, such as https://api.openai.com/v1, got ${got}.`)
  }
  if (text === '') fail('the base URL of a service', 'nothing')
  if (!URL.canParse(text)) fail('a URL that starts with https:// or http://', `'${text}'`)
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') fail('https:// or http://', `'${url.protocol}//'`)
  // The message does not repeat the password.
  if (url.username !== '' || url.password !== '') fail('a URL without user name and password', 'one with them')
  if (url.search !== '' || url.hash !== '')
    fail('a URL that ends in /v1', `one that ends in '${url.search}${url.hash}'`)
  url.pathname = url.pathname.replace(/\/+$/, '')
  if (!url.pathname.endsWith('/v1')) fail('a URL that ends in /v1', `'${text}'`)
  return url
}
