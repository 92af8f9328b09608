/** Who may use the control plane: this machine's own programs and pages; beyond loopback, who has the token. */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import { envelope } from '../core/errors/catalogue.ts'
import type { ListenOptions } from '../http/listen-options.ts'
import { isLoopback } from '../http/loopback.ts'

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
    const { host: asked = '', origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers
    const name = asked.replace(/:\d+$/, '')
    if (isOpen && !isLoopback(name)) {
      return refuse(403, `The control plane answers to this machine's own names only, not to Host '${asked}'.`)
    }
    if (origin !== undefined && origin !== `http://${asked}`) {
      return refuse(403, `The control plane is not for pages of another origin ('${origin}').`)
    }
    // A page of another port of this machine may link here, and no more.
    if (site === 'cross-site' || (site === 'same-site' && mode !== 'navigate')) {
      return refuse(403, 'The control plane is not for pages of another site.')
    }
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
  // Digests are of one length, so that the time it takes tells nothing of the token, not even how long it is.
  return timingSafeEqual(digest(bearerOf(authorization)), digest(token))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** What a call says who it is with; '' when it does not. */
export const bearerOf = (authorization = ''): string => authorization.replace(/^Bearer +/i, '')
