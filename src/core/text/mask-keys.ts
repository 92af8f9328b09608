/** Keys in texts: shortened before such a text is kept, logged, or said again in a 404. */
import { maskKey } from '../errors/catalogue.ts'

// A key of a few letters is part of other words; hiding those would tell no secret and spoil the text.
const SHORTEST_SECRET = 5
// Whatever looks like a key of the service, whoever it belongs to.
const KEY_LIKE = /\bsk-[\w-]{16,}/g

/** Whether a key is long enough to be looked for in texts. */
export const isSecret = (key: string): boolean => key.length >= SHORTEST_SECRET

/** A text with what looks like a key shortened, and the key of the call too. */
export function hideKeysIn(text: string, key = ''): string {
  const own = isSecret(key) ? text.replaceAll(key, () => maskKey(key)) : text
  return own.replace(KEY_LIKE, maskKey)
}

/** The same for a path, in which a key may be spelt with percent signs. */
export function hideKeysInPath(path: string, key = ''): string {
  const plain = hideKeysIn(path, key)
  if (!path.includes('%')) return plain
  const read = decoded(path)
  const hidden = hideKeysIn(read, key)
  return hidden === read ? plain : encodeURI(hidden)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
