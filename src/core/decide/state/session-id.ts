/** Which state belongs to a call: that of its API key, or that of the session of the key that the call names. */

import { invalidOption } from '../../protocol/errors/check-options.ts'

/** Names the state of a key, or of one session of it. `identify` makes it from a call. */
export type SessionId = string & { readonly [brand]: never }
declare const brand: unique symbol

const MAX_SESSION_NAME_LENGTH = 128
/** The characters that need no escapes in an address. */
const SESSION_NAME = /^[\w.~-]+$/

/** The form of a session's name, for messages. */
export const SESSION_NAMES = `1 to ${MAX_SESSION_NAME_LENGTH} letters, digits, '.', '_', '~' or '-'`

export const isSessionName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= MAX_SESSION_NAME_LENGTH && SESSION_NAME.test(name)

/** The check of an option that names a session. */
export const SESSION_OPTION = {
  expected: SESSION_NAMES,
  isValid: isSessionName,
}

/** The name that a user's code gives a session. @throws MockError for one that no call could name. */
export function checkSessionName(functionName: string, name: unknown): string {
  if (isSessionName(name)) return name
  throw invalidOption(functionName, 'the session', SESSION_NAMES, name)
}

/** No key contains a line break. `name` is '' for a call that names no session. */
export const sessionIdOf = (key: string, name: string): SessionId =>
  (name === '' ? key : `${key}\n${name}`) as SessionId

/** The key in an id. */
export const keyIn = (id: SessionId): string => id.split('\n', 1)[0]!

/** The name of the session in an id; '' for the state of a key itself. */
export const sessionNameIn = (id: SessionId): string => id.slice(keyIn(id).length + 1)
