/** The one real service that calls go to: fixed at the start, never chosen by what a call or an answer says. */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ENDPOINTS, type ModelEndpoint } from '../core/request/endpoints.ts'

/** Says in each call to the upstream who passed it on, so that a recorder that calls itself can see it. */
export const VIA = '1.1 api-mock-record'

/**
 * Reads a base URL.
 * @throws with what is allowed.
 * @example readUpstream('https://api.openai.com/v1')
 */
export function readUpstream(text: string): URL {
  const fail = (found: string, allowed: string): never => {
    throw new Error(`--upstream: found ${found}, allowed is ${allowed}, such as https://api.openai.com/v1.`)
  }
  if (text === '') fail('nothing', 'the base URL of the service')
  if (!URL.canParse(text)) fail(`'${text}'`, 'a URL that begins with https:// or http://')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') fail(`'${url.protocol}//'`, 'https:// or http://')
  // Not shown: a password on the screen is one too many.
  if (url.username !== '' || url.password !== '') fail('a name or password in the URL', 'a URL without them')
  if (url.search !== '' || url.hash !== '') fail(`'${url.search}${url.hash}' at its end`, 'a URL that ends in /v1')
  url.pathname = url.pathname.replace(/\/+$/, '')
  if (!url.pathname.endsWith('/v1')) fail(`'${text}'`, 'a URL whose path ends in /v1')
  return url
}

/** What is sent. */
export interface UpstreamCall {
  readonly endpoint: ModelEndpoint
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly signal: AbortSignal
}

/**
 * Sends one call and resolves with the head of its answer; the body follows. Redirects are not followed.
 * @throws when there is no answer; the message says why.
 */
export function callUpstream(
  upstream: URL,
  { endpoint, headers, body, signal }: UpstreamCall,
): Promise<IncomingMessage> {
  const send = upstream.protocol === 'https:' ? requestHttps : requestHttp
  const url = new URL(upstream)
  url.pathname += ENDPOINTS[endpoint].paths[0].slice('/v1'.length)
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      // A connection for each call: one that is kept may be closed by the other side just when it is used again.
      agent: false,
      // Not compressed: what is recorded is the text itself.
      headers: { ...headers, 'accept-encoding': 'identity', via: VIA, 'content-length': Buffer.byteLength(body) },
      signal,
    })
    request.once('response', resolve)
    request.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      reject(new Error(`${upstream.origin} answered ${statusCode}, another protocol, which it was not asked for`))
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(reasonOf(error, upstream), { cause: error })),
    )
    request.end(body)
  })
}

function reasonOf({ code, message }: NodeJS.ErrnoException, { origin }: URL): string {
  switch (code) {
    case 'ECONNREFUSED':
      return `nothing listens at ${origin}`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name in ${origin} is not known`
    case 'ECONNRESET':
      return `${origin} broke the connection off`
    default:
      return `${origin}: ${message}`
  }
}

export const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 300 && statusCode < 400
