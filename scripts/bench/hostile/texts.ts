/** Long texts that are hard to count, search or split; the same every time. */

const SYLLABLES = [
  'ka',
  'to',
  'mi',
  'ren',
  'su',
  'lop',
  'dar',
  'vex',
  'quo',
  'zin',
  'the',
  'ing',
  'blu',
  'yor',
  'pa',
  'nu',
]

/** A word that no other number has. */
export function word(number: number): string {
  let text = ''
  for (let rest = number; text === '' || rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length]
  }
  return text
}

/** So many different words, from the one with this number on. */
export const words = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, index) => word(from + index)).join(' ')

/** So many characters of a block of Unicode, in an order that does not repeat soon. */
export function characters(count: number, first: number, size: number): string {
  const pieces: string[] = []
  let state = 1
  for (let done = 0; done < count; done++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    pieces.push(String.fromCodePoint(first + ((state >>> 8) % size)))
  }
  return pieces.join('')
}

/** Three bytes each in UTF-8. */
export const chinese = (count: number): string => characters(count, 0x4e00, 20_000)
/** Four bytes each. */
export const emoji = (count: number): string => characters(count, 0x1f300, 700)

/** `[[[...]]]`, so deep. */
export const nestedArrays = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
/** `{"a":{"a":...}}`, so deep. */
export const nestedObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
