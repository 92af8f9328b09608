/**
 * The scope of a request to the control plane: the whole mock, or one session of it.
 *
 *     checkToken         response.locals = { by: 'the token of session team-a', ownSession: 'team-a' }
 *     limitToSession     response.locals.session = 'team-a'
 *     scope(response)    { view, changed }, for a route: the view of session team-a
 */

import type { RequestHandler, Response } from 'express'
import { isSessionName } from '../core/decide/state/session-id.ts'
import { shorten } from '../core/lib/text/wording.ts'
import { SESSION_NAMES } from '../core/protocol/request/request-path.ts'
import type { Engine, MockView } from '../engine/index.ts'
import { ControlError } from './route-table.ts'

/** The part of the mock that a request concerns. */
export interface Scope {
  /** The session, or the whole mock. */
  readonly view: MockView
  /** Reports a change that was made, such as `clear the journal`. */
  changed(change: string): void
}

/** Finds the scope of a request. `inBody` is the session that its body names: many requests have none there. */
export type FindScope = (response: Response, inBody?: unknown) => Scope

export const scopeOf =
  (engine: Engine): FindScope =>
  (response, inBody) => {
    const { by, ownSession, session: limitedTo } = callerOf(response)
    if (inBody !== undefined && limitedTo !== undefined) checkSame(inBody, limitedTo, ownSession)
    // The engine checks that it is a name.
    const session = limitedTo ?? (inBody as string | undefined)
    return {
      view: engine.ofSession(session),
      changed: (change) => engine.changes.notify({ by, change, ...(session !== undefined && { session }) }),
    }
  }

/** The token of a caller, and the session that the request is limited to. Kept in `response.locals`. */
interface Caller {
  /** For the log. */
  readonly by: string
  /** The only session that the token is for; undefined for a token of the server, and without a token. */
  readonly ownSession: string | undefined
  /** Undefined for the whole server. */
  readonly session: string | undefined
}

const callerOf = ({ locals }: Response): Caller => locals as Caller

/**
 * Limits a request to the session of its token, or to the one that it names: in its query, or in the header x-mock-session.
 * In the query of the journal, a session is a filter.
 */
export const limitToSession: RequestHandler = ({ method, path, originalUrl, headers }, response, next) => {
  const { ownSession } = callerOf(response)
  const { searchParams } = new URL(originalUrl, 'http://localhost')
  const isFilter = ownSession === undefined && method === 'GET' && path === '/journal'
  const inQuery = isFilter ? [] : searchParams.getAll('session')
  const inHeader = [headers['x-mock-session'] ?? []].flat()
  const namedSessions = [...inQuery, ...inHeader]
  const session = ownSession ?? namedSessions[0]
  for (const named of namedSessions) checkSame(named, session!, ownSession)
  if (session !== undefined && !isSessionName(session))
    throw new ControlError(`Expected the name of a session (${SESSION_NAMES}), got '${shorten(session)}'.`)
  Object.assign(response.locals, { session })
  next()
}

/** @throws ControlError for a second session, and for another one than that of the token. */
function checkSame(named: unknown, session: string, ownSession: string | undefined): void {
  if (named === session) return
  const shown = typeof named === 'string' ? `'${shorten(named)}'` : 'another one'
  if (ownSession === undefined)
    throw new ControlError(`The request names two sessions, '${shorten(session)}' and ${shown}. Name one.`)
  throw new ControlError(`This token is for the session '${ownSession}' only, and not for ${shown}.`, 403)
}

/** Refuses requests that are limited to a session: the routes after it concern the whole server. */
export const refuseSessions: RequestHandler = ({ method, baseUrl, path }, response, next) => {
  const { ownSession, session } = callerOf(response)
  if (session === undefined) return next()
  const shown = shorten(`${method} ${baseUrl}${path}`)
  if (ownSession === undefined) throw new ControlError(`${shown} cannot be limited to a session.`)
  throw new ControlError(`${shown} is not for the token of the session '${ownSession}'.`, 403)
}
