/** Finds an API key that an answer repeats in another form: reversed, or in base64, hex or percent-escapes. */
import { buildTextFinder, type Finder } from './finder.ts'

/** A form of a shorter key is likely to occur by chance. */
const MIN_KEY_LENGTH = 8

/** The finders of all forms of a key; none for a short key. */
export function findersOfForms(key: string): Finder[] {
  if (key.length < MIN_KEY_LENGTH) return []
  const bytes = [...Buffer.from(key)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'))
  return [
    buildTextFinder([...key].reverse().join('')),
    ...base64Forms(key).map(buildTextFinder),
    // Bytes may be written one by one: `73:6b`, `73 6b`, `\x73\x6b`.
    buildPatternFinder(hex.join('(?:[\\s:,-]|\\\\x|0x)?')),
    // Any of the characters may be escaped.
    buildPatternFinder(bytes.map((byte, index) => `(?:%${hex[index]}|${literal(byte)})`).join('')),
  ]
}

/**
 * What every base64 text with the key in it contains. The key may begin at each of the three places of a group of bytes,
 * and its first and last characters share theirs with what is around it, so those are left out.
 */
function base64Forms(key: string): string[] {
  const forms = [0, 1, 2].map((place) => {
    const bytes = Buffer.from('\0'.repeat(place) + key)
    const start = Math.ceil((place * 8) / 6)
    const end = Math.floor((bytes.length * 8) / 6)
    return bytes.toString('base64').slice(start, end)
  })
  return [...new Set([...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))])]
}

function buildPatternFinder(source: string): Finder {
  const pattern = new RegExp(source, 'gi')
  return (text) => [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length])
}

/** A byte as a pattern of the character. */
const literal = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`
