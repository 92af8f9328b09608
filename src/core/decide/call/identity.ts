/** The owner of a call: its API key and the session that it names. Nothing else decides which state a call reads and changes. */

import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { shorten } from '../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { CallHeader } from '../../protocol/request/decisive-headers.ts'
import { isSessionName, SESSION_NAMES, type SessionId, sessionIdOf } from '../state/session-id.ts'

/** The parts of a call that name its owner. */
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
  /** The reason why the session is refused. The call then reads the state of its key, and changes nothing. */
  readonly error: ApiError | undefined
}

export function identify({ header, session: inPath, acceptsApiKey }: Origin): Identity {
  // The key of `Authorization: Bearer <key>`, which Azure also takes from a header of its own.
  const bearer = /^bearer +(\S.*)$/i.exec(header('authorization')?.trim() ?? '')?.[1]
  const key = bearer ?? (acceptsApiKey === true ? header('api-key')?.trim() : undefined) ?? ''
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
