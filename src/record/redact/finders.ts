/** Finders: functions that find the ranges of a text that must be redacted. */

export type TextRange = readonly [start: number, end: number]
/** Finds the ranges of a text that must be redacted. */
export type Finder = (text: string) => readonly TextRange[]

/** Builds a finder of a fixed text. */
export function buildTextFinder(wanted: string): Finder {
  return (text) => {
    const ranges: TextRange[] = []
    for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) {
      ranges.push([start, start + wanted.length])
    }
    return ranges
  }
}

/** The matches of a global pattern. */
export const findMatches = (text: string, pattern: RegExp): TextRange[] =>
  [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length])

/** A form of a shorter key is likely to occur by chance. */
const MIN_KEY_LENGTH = 8

/** Finders of an API key that an answer repeats reversed, or in base64, hex or percent-escapes; none for a short key. */
export function findersOfForms(key: string): Finder[] {
  if (key.length < MIN_KEY_LENGTH) return []
  const bytes = [...Buffer.from(key)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'))
  // Every base64 text with the key has one of these. The key may begin at each of the three places of a group of bytes, and
  // its first and last characters share theirs with what is around it, so those are left out.
  const base64 = [0, 1, 2].flatMap((place) => {
    const padded = Buffer.from('\0'.repeat(place) + key)
    const form = padded.toString('base64').slice(Math.ceil((place * 8) / 6), Math.floor((padded.length * 8) / 6))
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')]
  })
  const patterns = [
    // Bytes may be written one by one: `73:6b`, `73 6b`, `\x73\x6b`.
    hex.join('(?:[\\s:,-]|\\\\x|0x)?'),
    // Any of the characters may be escaped.
    hex
      .map((byte) => `(?:%${byte}|\\x${byte})`)
      .join(''),
  ].map((source) => new RegExp(source, 'gi'))
  return [
    ...[...new Set([[...key].reverse().join(''), ...base64])].map(buildTextFinder),
    ...patterns.map(
      (pattern): Finder =>
        (text) =>
          findMatches(text, pattern),
    ),
  ]
}
