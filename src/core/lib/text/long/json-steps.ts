/** Counts the values of a large JSON text before it is parsed: JSON.parse takes time for each of them, and can't be sliced. */
import type { Steps } from '../../work/steps.ts'

/** What makes a JSON text expensive to parse. */
export interface JsonSize {
  /** Commas and opening brackets. */
  readonly values: number
  /** Texts, names of members included. */
  readonly texts: number
}

const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
const CHARACTERS_PER_STEP = 50_000
const CHARACTERS_PER_UNIT = 100

/** Counts the values of a text that may not be JSON, up to its first part with more than `max`. */
export function* countJsonValues(text: string, max: JsonSize): Steps<JsonSize> {
  let values = 0
  let quotes = 0
  let isInText = false
  for (let index = 0; index < text.length; ) {
    const end = Math.min(text.length, index + CHARACTERS_PER_STEP)
    yield (end - index) / CHARACTERS_PER_UNIT
    for (; index < end; index++) {
      const code = text.charCodeAt(index)
      if (code === QUOTE) {
        isInText = !isInText
        quotes++
      } else if (isInText) {
        if (code === BACKSLASH) index++
      } else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values++
    }
    if (values > max.values || quotes > 2 * max.texts) break
  }
  return { values, texts: Math.ceil(quotes / 2) }
}
