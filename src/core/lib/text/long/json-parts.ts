/** The JSON of a large value in parts: JSON.stringify can't be sliced. */
import { isHighSurrogate } from '../bytes.ts'

/** A part has about so many characters. */
const PART_LENGTH = 50_000
/** A smaller value is written at once. */
const SMALL = { values: 200, characters: 10_000 }
/** Deeper values are written at once: writing them in parts would take more stack. */
const MAX_DEPTH = 200

/**
 * The parts of what JSON.stringify writes for a parsed JSON value.
 * @throws RangeError for a value that is nested too deeply.
 */
export function* jsonParts(value: unknown): Generator<string> {
  const writer = new JsonWriter()
  yield* writer.write(value, 0)
  yield writer.take()
}

class JsonWriter {
  #text = ''

  /** What was written since this was last called. */
  take(): string {
    const text = this.#text
    this.#text = ''
    return text
  }

  *write(value: unknown, depth: number): Generator<string> {
    if (typeof value === 'string') yield* this.#writeText(value)
    else if (depth > MAX_DEPTH || isSmall(value)) this.#text += JSON.stringify(value)
    else if (Array.isArray(value)) {
      let before = '['
      for (const item of value) {
        this.#text += before
        before = ','
        yield* this.#writeInner(item, depth)
      }
      this.#text += ']'
    } else {
      let before = '{'
      for (const name in value as object) {
        this.#text += before
        before = ','
        yield* this.#writeText(name)
        this.#text += ':'
        yield* this.#writeInner((value as Record<string, unknown>)[name], depth)
      }
      this.#text += '}'
    }
  }

  *#writeInner(value: unknown, depth: number): Generator<string> {
    if (this.#text.length >= PART_LENGTH) yield this.take()
    yield* this.write(value, depth + 1)
  }

  *#writeText(text: string): Generator<string> {
    if (text.length <= PART_LENGTH) {
      this.#text += JSON.stringify(text)
      return
    }
    this.#text += '"'
    for (const slice of slicesOf(text, PART_LENGTH)) {
      this.#text += JSON.stringify(slice).slice(1, -1)
      yield this.take()
    }
    this.#text += '"'
  }
}

/** A text in slices of about this length. The halves of a surrogate pair stay together: apart, each would be escaped. */
export function* slicesOf(text: string, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = Math.min(start + length, text.length)
    if (isHighSurrogate(text.charCodeAt(end - 1)) && end < text.length) end++
    yield text.slice(start, end)
    start = end
  }
}

/** Whether a value has few parts and little text. */
function isSmall(value: unknown): boolean {
  const pending = [value]
  let characters = 0
  for (let next = 0; next < pending.length; next++) {
    const part = pending[next]
    if (typeof part === 'string') characters += part.length
    else if (Array.isArray(part)) {
      if (part.length + pending.length > SMALL.values) return false
      pending.push(...part)
    } else if (typeof part === 'object' && part !== null) {
      for (const name in part) {
        characters += name.length
        pending.push((part as Record<string, unknown>)[name])
        if (pending.length > SMALL.values) return false
      }
    }
    if (characters > SMALL.characters) return false
  }
  return true
}
