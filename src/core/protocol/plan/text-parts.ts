/**
 * Texts in parts that are built when they are sent, so that a long answer in flight costs little memory.
 *
 *     joinParts(['{"content":"', jsonOfText(text), '"}'])     a string, or for a long text an object with its parts
 *
 * Their sizes are known before: for the content-length, and to refuse an answer that is too large before it is built.
 */

import { countUtf8, isHighSurrogate, MAX_BYTES_PER_UNIT } from '../../lib/text/bytes.ts'

/** A text in parts. It may be read more than once. */
export interface TextParts extends Iterable<string> {
  /** The size in UTF-8. */
  readonly byteLength: number
}

/** A text, short or in parts. */
export type Part = string | TextParts

/** Answers of at most this size, in bytes, are built at once: that is faster, and they are most of all answers. */
export const MAX_SHORT_BYTES = 65_536

/** The size of a text in UTF-8. */
export const byteLengthOf = (text: string | { readonly byteLength: number }): number =>
  typeof text === 'string' ? countUtf8(text) : text.byteLength

/** A text in parts as one text. */
export const textOfPart = (part: Part): string => (typeof part === 'string' ? part : [...part].join(''))

/** The texts as one: built at once if it is short. */
export function joinParts(parts: readonly Part[]): Part {
  let maxBytes = 0
  for (const part of parts) maxBytes += typeof part === 'string' ? part.length * MAX_BYTES_PER_UNIT : part.byteLength
  if (maxBytes > MAX_SHORT_BYTES) {
    return {
      byteLength: parts.reduce((sum: number, part) => sum + byteLengthOf(part), 0),
      *[Symbol.iterator]() {
        for (const part of parts) {
          if (typeof part === 'string') yield part
          else yield* part
        }
      },
    }
  }
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : textOfPart(part)
  return text
}

/** The characters of a long text that are written as JSON at a time. */
const SLICE_LENGTH = 16_384

/** The JSON of a text, without its quotes: that of a long text in slices. */
export function jsonOfText(text: string): Part {
  if (text.length <= SLICE_LENGTH) return JSON.stringify(text).slice(1, -1)
  function* slices(): Generator<string> {
    for (let start = 0; start < text.length; ) {
      let end = Math.min(start + SLICE_LENGTH, text.length)
      // The halves of a surrogate pair stay together: apart, each would be escaped.
      if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end++
      yield JSON.stringify(text.slice(start, end)).slice(1, -1)
      start = end
    }
  }
  let byteLength = 0
  for (const slice of slices()) byteLength += countUtf8(slice)
  return { byteLength, [Symbol.iterator]: slices }
}
