/** Whose call it is: its API key and the session that it names. Nothing else decides which state a call reads and changes. */

import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { shorten } from '../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { CallHeader } from '../../protocol/request/decisive-headers.ts'
import { isSessionName, SESSION_NAMES, type SessionId, sessionIdOf } from '../state/session-id.ts'

/** The parts of a call that say whose it is. */
interface Origin {
  readonly header: (name: CallHeader) => string | undefined
  readonly session?: string | undefined
  readonly acceptsApiKey?: boolean | undefined
}

export interface Identity {
  /** The API key; '' without one. */
  readonly key: string
  /** The session of the key, or the key itself for a call that names no session. */
  readonly sessionId: SessionId
  /** Why the session is refused. The call then reads the state of its key, and changes nothing. */
  readonly error: ApiError | undefined
}

export function identify(origin: Origin): Identity {
  const { header, session: inPath } = origin
  const key = keyOf(origin)
  const inHeader = header('x-mock-session')
  const name = inPath ?? inHeader
  if (name === undefined) return { key, sessionId: sessionIdOf(key, ''), error: undefined }
  const error = findProblem(name, inHeader ?? name, key)
  return { key, sessionId: sessionIdOf(key, error === undefined ? name : ''), error }
}

function findProblem(name: string, other: string, key: string): ApiError | undefined {
  const shown = (text: string): string => maskKeysIn(shorten(text), key)
  const refuse = (problem: string): ApiError => apiError('invalid-session', { name: shown(name), problem })
  if (name !== other) return refuse(`the header x-mock-session names another one, '${shown(other)}'`)
  if (!isSessionName(name)) return refuse(`expected ${SESSION_NAMES}`)
  return maskKeysIn(name, key) === name ? undefined : refuse('it contains an API key, and the journal shows sessions')
}

/** The key of a call; '' without one. */
function keyOf({ header, acceptsApiKey }: Origin): string {
  const key = bearerKey(header('authorization'))
  return key === '' && acceptsApiKey === true ? (header('api-key')?.trim() ?? '') : key
}

/** The key of `Authorization: Bearer <key>`; '' when the header is missing, of another scheme or empty. */
function bearerKey(authorization: string | undefined): string {
  if (authorization === undefined) return ''
  const match = /^bearer +(\S.*)$/i.exec(authorization.trim())
  return match?.[1] ?? ''
}
