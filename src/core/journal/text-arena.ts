/**
 * Texts that are kept for long, as bytes outside the heap.
 *
 * The collector of garbage moves what lives long from place to place: texts of thousands of calls, kept as texts, take
 * it as long as all the rest of a call takes. Bytes in a few large pages it does not look at. A page is used again when
 * all its texts are taken off; they are put on and taken off in about the same order, so few pages are half empty.
 */

const PAGE_BYTES = 1_048_576
// A character takes at most three bytes in UTF-8. What may take more than this has a page of its own.
const MAX_IN_PAGE = 262_144
const BYTES_PER_CHARACTER = 3
const MAX_SPARE = 4

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

interface Page {
  readonly bytes: Uint8Array
  used: number
  texts: number
}

export class TextArena {
  #page: Page | undefined
  readonly #spare: Page[] = []

  /** Puts a text on the shelf; of half a surrogate pair it keeps U+FFFD, as the network does. */
  store(text: string): StoredText {
    const most = text.length * BYTES_PER_CHARACTER
    if (most > MAX_IN_PAGE) {
      const bytes = encoder.encode(text)
      return new StoredText(this, { bytes, used: bytes.length, texts: 1 }, 0, bytes.length)
    }
    const page = this.#pageFor(most)
    const start = page.used
    page.used += encoder.encodeInto(text, page.bytes.subarray(start)).written
    page.texts++
    return new StoredText(this, page, start, page.used)
  }

  /** For the shelved text alone, which does it once. */
  free(page: Page): void {
    page.texts--
    if (page.texts > 0) return
    page.used = 0
    const isSpare = page !== this.#page && page.bytes.length === PAGE_BYTES && this.#spare.length < MAX_SPARE
    if (isSpare) this.#spare.push(page)
  }

  #pageFor(bytes: number): Page {
    if (this.#page === undefined || this.#page.used + bytes > PAGE_BYTES) {
      this.#page = this.#spare.pop() ?? { bytes: new Uint8Array(PAGE_BYTES), used: 0, texts: 0 }
    }
    return this.#page
  }
}

/** A text on a shelf. */
export class StoredText {
  readonly #shelf: TextArena
  readonly #start: number
  readonly #end: number
  #page: Page | undefined

  constructor(shelf: TextArena, page: Page, start: number, end: number) {
    this.#shelf = shelf
    this.#page = page
    this.#start = start
    this.#end = end
  }

  get byteLength(): number {
    return this.#end - this.#start
  }

  /** @throws when it has been taken off. */
  read(): string {
    if (this.#page === undefined) throw new Error('A text was read that is no longer kept: a bug in llm-api-mock.')
    return decoder.decode(this.#page.bytes.subarray(this.#start, this.#end))
  }

  /** Gives its room to others. */
  free(): void {
    if (this.#page === undefined) return
    this.#shelf.free(this.#page)
    this.#page = undefined
  }
}
