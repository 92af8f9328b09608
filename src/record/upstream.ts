/** Sends calls to the real service. Its address is fixed at the start; no part of a call or an answer changes it. */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type ModelEndpoint, pathOf } from '../core/protocol/request/endpoints.ts'

/** The `via` header of each call to the upstream: a recorder that calls itself recognizes it. */
export const VIA = '1.1 api-mock-record'

const REMEDY = 'Your key would go to another address. Give the final address as --upstream'

/** One call to the upstream. */
export interface UpstreamCall {
  readonly endpoint: ModelEndpoint
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly signal: AbortSignal
}

/**
 * Sends one call and resolves with the head of its answer.
 * @throws when there is no answer; the message says why.
 */
export function callUpstream(
  upstream: URL,
  { endpoint, headers, body, signal }: UpstreamCall,
): Promise<IncomingMessage> {
  const send = upstream.protocol === 'https:' ? requestHttps : requestHttp
  const url = new URL(upstream)
  url.pathname += pathOf(endpoint).slice('/v1'.length)
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      // A new connection for each call: the upstream may close an idle one just when it is used again.
      agent: false,
      // Not compressed: the text itself is recorded.
      headers: { ...headers, 'accept-encoding': 'identity', via: VIA, 'content-length': Buffer.byteLength(body) },
      signal,
    })
    request.once('response', (answer) => {
      const { statusCode = 0 } = answer
      if ((statusCode >= 200 && statusCode < 300) || statusCode >= 400) return resolve(answer)
      answer.destroy()
      const shown = `${upstream.origin} answered ${String(statusCode).padStart(3, '0')}`
      if (statusCode < 200) return reject(new Error(`expected a status from 200, but ${shown}`))
      if (statusCode === 304) return reject(new Error(`${shown} (not modified) to a call without a condition`))
      reject(new Error(`${upstream.origin} answered ${statusCode}, a redirect, which is not followed. ${REMEDY}`))
    })
    request.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      reject(
        new Error(`${upstream.origin} answered ${statusCode}, an upgrade to another protocol that was not requested`),
      )
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
      return `connection to ${origin} refused`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `host name of ${origin} not found`
    case 'ECONNRESET':
      return `${origin} closed the connection`
    default:
      return `${origin}: ${message}`
  }
}
