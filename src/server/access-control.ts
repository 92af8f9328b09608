/**
 * Access to the control plane, for programs and pages of this machine and, when the server has a token or listens beyond
 * loopback, for callers with the token.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import { isLoopback, type ListenOptions } from '../http/index.ts'
import { ControlError } from './route-table.ts'

/**
 * Refuses requests that another site's page can cause in a browser: a Host that is not this server's (DNS rebinding), a
 * foreign Origin, a cross-site fetch.
 */
export function checkOrigin({ host = '127.0.0.1' }: ListenOptions): RequestHandler {
  const isLocal = isLoopback(host)
  return ({ headers }, _response, next) => {
    const { host: requested = '', origin, 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers
    const name = requested.replace(/:\d+$/, '')
    if (isLocal && !isLoopback(name)) {
      throw new ControlError(`The control plane accepts only loopback names as Host, got '${requested}'.`, 403)
    }
    if (origin !== undefined && origin !== `http://${requested}`) {
      throw new ControlError(`The control plane accepts no requests from pages of another origin ('${origin}').`, 403)
    }
    // Pages on another port of this machine may link here, but not fetch. Values that no browser sends are refused, too.
    const [from, how] = [site, mode].map((value) => String(value).toLowerCase())
    const isLink = from === 'same-site' && how === 'navigate'
    if (!isLink && from !== 'same-origin' && from !== 'none') {
      throw new ControlError('The control plane accepts no requests from pages of another site.', 403)
    }
    next()
  }
}

/**
 * Refuses callers without a token of the server or of a session. A server without tokens accepts those of this machine, and
 * no others.
 */
export function checkToken({ host = '127.0.0.1', token = '', sessionTokens = {} }: ListenOptions): RequestHandler {
  // Digests have the same length, so that the comparison takes the same time for every token.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const tokens = [
    ...(token === '' ? [] : [{ by: 'the token of the server', ownSession: undefined, hash: digest(token) }]),
    ...Object.entries(sessionTokens).map(([session, own]) => ({
      by: `the token of session ${session}`,
      ownSession: session,
      hash: digest(own),
    })),
  ]
  const isOpen = tokens.length === 0 && isLoopback(host)
  return ({ headers: { authorization } }, { locals }, next) => {
    const given = digest(bearerOf(authorization))
    // Compares with all of them, so that the time does not tell which one matches.
    const [matching] = tokens.filter(({ hash }) => timingSafeEqual(hash, given))
    Object.assign(locals, { by: matching?.by ?? 'a caller without a token', ownSession: matching?.ownSession })
    if (isOpen || matching !== undefined) return next()
    throw new ControlError(
      'The control plane of this server requires its token (--token), or that of a session (--session-token). Send Authorization: Bearer <token>.',
      401,
    )
  }
}

/** The token of an Authorization header; '' without one. */
export const bearerOf = (authorization = ''): string => authorization.replace(/^Bearer +/i, '')
