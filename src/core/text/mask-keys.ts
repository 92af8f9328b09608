/** Masks API keys in texts before they are kept, logged or repeated in a 404. */

// A key of a few letters is part of other words; hiding those would tell no secret and spoil the text.
const MIN_SECRET_LENGTH = 5
// Whatever looks like a key of the service, whoever it belongs to.
const KEY_LIKE = /\bsk-[\w-]{16,}/g

/** Whether a key is long enough to be looked for in texts. */
export const isSecret = (key: string): boolean => key.length >= MIN_SECRET_LENGTH

/** A text with what looks like a key shortened, and the key of the call too. */
export function maskKeysIn(text: string, key = ''): string {
  const own = isSecret(key) ? text.replaceAll(key, () => maskKey(key)) : text
  return own.replace(KEY_LIKE, maskKey)
}

/** The same for a path, in which a key may be spelt with percent signs. */
export function maskKeysInPath(path: string, key = ''): string {
  const plain = maskKeysIn(path, key)
  if (!path.includes('%')) return plain
  const read = decoded(path)
  const hidden = maskKeysIn(read, key)
  return hidden === read ? plain : encodeURI(hidden)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `sk-XG6GW****wlmi`: the first eight, stars, the last four; a short key shows less of itself. */
export function maskKey(key: string): string {
  if (key.length <= 4) return '*'.repeat(key.length)
  if (key.length <= 12) return `${key.slice(0, 2)}****${key.slice(-2)}`
  return `${key.slice(0, 8)}****${key.slice(-4)}`
}
