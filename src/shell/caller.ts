/** Who may use the control plane: this machine's own programs and pages; beyond loopback, who has the token. */

import { timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import { envelope } from '../core/errors.ts'
import type { ListenOptions } from './listen-options.ts'
import { isLoopback } from './loopback.ts'

/**
 * Refuses what another site's page could send through a browser: a Host that is not this server's (DNS rebinding), an
 * Origin of elsewhere, a cross-site fetch.
 */
export function checkOrigin({ host = '127.0.0.1' }: ListenOptions): RequestHandler {
  const isOpen = isLoopback(host)
  return (request, response, next) => {
    const refuse = (status: number, message: string): void => {
      response.status(status).json(envelope(message, 'request_forbidden'))
    }
    const { host: asked = '', origin, 'sec-fetch-site': site } = request.headers
    const name = asked.replace(/:\d+$/, '')
    if (isOpen && !isLoopback(name)) {
      return refuse(403, `The control plane answers to this machine's own names only, not to Host '${asked}'.`)
    }
    if (origin !== undefined && origin !== `http://${asked}`) {
      return refuse(403, `The control plane is not for pages of another origin ('${origin}').`)
    }
    if (site === 'cross-site') return refuse(403, 'The control plane is not for pages of another site.')
    next()
  }
}

/** On an address beyond loopback, refuses who does not have the server's token. */
export function checkToken({ host = '127.0.0.1', token }: ListenOptions): RequestHandler {
  const isOpen = isLoopback(host)
  const message =
    'Beyond loopback the control plane needs its token: Authorization: Bearer <token>. It is set with --token when the server starts.'
  return ({ headers: { authorization = '' } }, response, next) => {
    if (isOpen || isToken(authorization, token)) return next()
    response.status(401).json(envelope(message, 'request_forbidden'))
  }
}

function isToken(authorization: string, token: string | undefined): boolean {
  if (token === undefined || token === '') return false
  const given = Buffer.from(authorization.replace(/^Bearer +/i, ''))
  const wanted = Buffer.from(token)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
