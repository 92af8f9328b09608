/** Who may use the control plane: this machine's own programs and pages; beyond loopback, who has the token. */

import { timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import { envelope } from '../core/errors.ts'
import type { ListenOptions } from './listen-options.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Whether an address or name is this machine's own loopback. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
}

/**
 * Refuses what another site's page could send through a browser: a Host that is not this server's (DNS rebinding), an
 * Origin of elsewhere, a cross-site fetch. A server on an address beyond loopback asks for its token besides.
 */
export function checkCaller({ host = '127.0.0.1', token }: ListenOptions): RequestHandler {
  const isOpen = isLoopback(host)
  return (request, response, next) => {
    const refuse = (status: number, message: string): void => {
      response.status(status).json(envelope(message, 'request_forbidden'))
    }
    const { host: asked = '', origin, authorization = '', 'sec-fetch-site': site } = request.headers
    const name = asked.replace(/:\d+$/, '')
    if (isOpen && !isLoopback(name)) {
      return refuse(403, `The control plane answers to this machine's own names only, not to Host '${asked}'.`)
    }
    if (origin !== undefined && origin !== `http://${asked}`) {
      return refuse(403, `The control plane is not for pages of another origin ('${origin}').`)
    }
    if (site === 'cross-site') return refuse(403, 'The control plane is not for pages of another site.')
    if (!isOpen && !isToken(authorization, token)) {
      return refuse(
        401,
        'Beyond loopback the control plane needs its token: Authorization: Bearer <token>. It is set with --token when the server starts.',
      )
    }
    next()
  }
}

function isToken(authorization: string, token: string | undefined): boolean {
  if (token === undefined || token === '') return false
  const given = Buffer.from(authorization.replace(/^Bearer +/i, ''))
  const wanted = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
