/**
 * Masks API keys and passwords in texts before they are kept, logged or repeated in a 404: `sk-XG6GW9fQ2mBvT7wlmi` becomes
 * `sk-XG6GW****wlmi`.
 */
import { decodePercent } from './bytes.ts'

// A shorter key is likely to be part of ordinary words, and masking those would spoil the text.
const MIN_SECRET_LENGTH = 5
/** The place before a secret. Not inside a word (`risk-...`), but after an escape such as \n, as JSON inside JSON has it. */
export const SECRET_START = String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]))`
// Anything that looks like a key of the service. Cassettes, which are published, redact shorter ones too.
// Not `{16,}`: counting the repeats overflows the stack of the engine on a few million characters.
// The look-behind comes after the letters: before them, it makes the search 20 times slower.
const KEY_LIKE = new RegExp(String.raw`sk-(?<=${SECRET_START}sk-)[\w-]{16}[\w-]*`, 'g')

/** True if a key is long enough to be masked in texts. */
export const isSecret = (key: string): boolean => key.length >= MIN_SECRET_LENGTH

/** Masks everything that looks like a key. @param key the key of the call, which is masked too, whatever it looks like */
export function maskKeysIn(text: string, key = ''): string {
  const own = isSecret(key) ? text.replaceAll(key, () => maskKey(key)) : text
  return own.replace(KEY_LIKE, maskKey)
}

/** The same for a path, in which a key may be percent-encoded. */
export function maskKeysInPath(path: string, key = ''): string {
  const plain = maskKeysIn(path, key)
  if (!path.includes('%')) return plain
  const text = decodePercent(path)
  const masked = maskKeysIn(text, key)
  return masked === text ? plain : encodeURI(masked)
}

/** The first eight characters of a key, stars, and the last four. A short key shows less. */
export function maskKey(key: string): string {
  if (key.length <= 4) return '*'.repeat(key.length)
  if (key.length <= 12) return `${key.slice(0, 2)}****${key.slice(-2)}`
  return `${key.slice(0, 8)}****${key.slice(-4)}`
}

/** A key that was refused, as the service repeats it: with a star for each masked character. A short one is not masked. */
export const maskRefusedKey = (key: string): string =>
  key.length <= 12 ? key : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`

/** Masks the passwords of addresses: `redis://user:secret@host?password=secret` becomes `redis://user:****@host?password=****`. */
export function maskPassword(text: string): string {
  const lines = text.split('\n').map((line) => {
    // The last @ ends the password: in an address with a mistake, it may contain others, and blanks.
    const end = line.lastIndexOf('@')
    if (end < 0) return line
    // Not one pattern with `:[^\n]*@`: after each `://` it would search the rest of the line.
    const userPart = /\w:\/\/[^\s:@/]*:/.exec(line.slice(0, end))
    if (userPart === null) return line
    return `${line.slice(0, userPart.index)}${userPart[0]}****${line.slice(end)}`
  })
  return lines.join('\n').replace(/([?&]\w{0,100}pass\w{0,100}=)[^&\s'"]+/gi, '$1****')
}
