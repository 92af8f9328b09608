/**
 * Sessions and their ids. A session id is a key, or a key and the name of a session of it: `sk-1`, `sk-1\nt1`.
 * No key contains a line break.
 */

import { hashName } from '../../lib/random/hash.ts'
import { invalidOption } from '../../protocol/errors/check-options.ts'
import { SESSION_NAME, SESSION_NAMES } from '../../protocol/request/request-path.ts'

/** Names the state of a key, or of one session of it. `identify` (call-context.ts) makes it from a call. */
export type SessionId = string & { readonly [brand]: never }
declare const brand: unique symbol

/** @param name '' for a call that names no session. */
export const sessionIdOf = (key: string, name: string): SessionId =>
  (name === '' ? key : `${key}\n${name}`) as SessionId

/** The key in an id. */
export const keyIn = (id: SessionId): string => id.split('\n', 1)[0]!

/** The name of the session in an id; '' for a key without one. */
export const sessionNameIn = (id: SessionId): string => id.slice(keyIn(id).length + 1)

/** A name for a key that does not reveal it: 64 bits of hash; '' for no key. */
export const callerOf = (key: string): string => (key === '' ? '' : hashName(key))

export const isSessionName = (name: unknown): name is string => typeof name === 'string' && SESSION_NAME.test(name)

/** The check of an option that names a session. */
export const SESSION_OPTION = { expected: SESSION_NAMES, isValid: isSessionName }

/** The name that a user's code gives a session. @throws MockError for one that no call could name. */
export function checkSessionName(functionName: string, name: unknown): string {
  if (isSessionName(name)) return name
  throw invalidOption(functionName, 'the session', SESSION_NAMES, name)
}
