/**
 * Who may use the control plane: programs and pages of this machine and, when the server has a token or listens beyond
 * loopback, callers with the token.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { ListenOptions } from '../http/listen-options.ts'
import { isLoopback } from '../http/loopback.ts'
import { ControlError } from './control-error.ts'

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
      throw new ControlError(403, `The control plane accepts only loopback names as Host, got '${requested}'.`)
    }
    if (origin !== undefined && origin !== `http://${requested}`) {
      throw new ControlError(403, `The control plane accepts no requests from pages of another origin ('${origin}').`)
    }
    // Pages on another port of this machine may link here, but not fetch. What no browser sends is refused, too.
    const isLink = isOneOf(site, ['same-site']) && isOneOf(mode, ['navigate'])
    if (!isLink && !isOneOf(site, ['same-origin', 'none'])) {
      throw new ControlError(403, 'The control plane accepts no requests from pages of another site.')
    }
    next()
  }
}

const isOneOf = (value: string | string[] | undefined, allowed: readonly string[]): boolean =>
  allowed.includes(String(value).toLowerCase())

/** Refuses callers without the server's token. A server without one accepts those of this machine, and no others. */
export function checkToken({ host = '127.0.0.1', token = '' }: ListenOptions): RequestHandler {
  const isOpen = token === '' && isLoopback(host)
  return ({ headers: { authorization = '' } }, _response, next) => {
    if (isOpen || isToken(authorization, token)) return next()
    throw new ControlError(
      401,
      'The control plane of this server requires its token, which --token sets. Send Authorization: Bearer <token>.',
    )
  }
}

function isToken(authorization: string, token: string): boolean {
  if (token === '') return false
  // Digests have the same length, so that the comparison takes the same time for every token.
  return timingSafeEqual(digest(bearerOf(authorization)), digest(token))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The token of an Authorization header; '' without one. */
export const bearerOf = (authorization = ''): string => authorization.replace(/^Bearer +/i, '')
