/**
 * Stores texts as bytes outside the heap.
 *
 * The garbage collector copies long-lived strings: keeping the texts of thousands of calls as strings took as long as
 * all other work of a call. It does not look into a few large pages of bytes. A page is reused when all its texts are
 * freed; texts are freed in about the order they were stored in, so few pages are half empty.
 */

import { countUtf8, MAX_BYTES_PER_UNIT } from '../lib/text/utf8-size.ts'

const PAGE_BYTES = 1_048_576
/** A text that may take more bytes gets a separate page. */
const MAX_SHARED_BYTES = 262_144
const MAX_SPARE_PAGES = 4

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

  /**
   * Stores a text. Half a surrogate pair becomes U+FFFD, as on the network.
   * @param holder holds the text; it must be free.
   */
  store(text: string, holder = new StoredText(this)): StoredText {
    const maxBytes = text.length * MAX_BYTES_PER_UNIT
    if (maxBytes > MAX_SHARED_BYTES) {
      const bytes = encoder.encode(text)
      holder.hold({ bytes, used: bytes.length, texts: 1 }, 0, text.length)
      return holder
    }
    const page = this.#findPage(maxBytes)
    const start = page.used
    page.used += encoder.encodeInto(text, page.bytes.subarray(start)).written
    page.texts++
    holder.hold(page, start, text.length)
    return holder
  }

  /** Called by each stored text once, when it is freed. */
  free(page: Page): void {
    page.texts--
    if (page.texts > 0) return
    page.used = 0
    const isSpare = page !== this.#page && page.bytes.length === PAGE_BYTES && this.#spare.length < MAX_SPARE_PAGES
    if (isSpare) this.#spare.push(page)
  }

  #findPage(bytes: number): Page {
    if (this.#page === undefined || this.#page.used + bytes > PAGE_BYTES) {
      this.#page = this.#spare.pop() ?? { bytes: new Uint8Array(PAGE_BYTES), used: 0, texts: 0 }
    }
    return this.#page
  }
}

/** Holds a text in an arena. Once it is freed, it can hold another. */
export class StoredText {
  readonly #arena: TextArena
  #page: Page | undefined
  #start = 0
  #end = 0
  #length = 0

  constructor(arena: TextArena) {
    this.#arena = arena
  }

  /** Called by the arena with a text of so many UTF-16 code units, which are the last bytes of the page. */
  hold(page: Page, start: number, length: number): void {
    this.#page = page
    this.#start = start
    this.#end = page.used
    this.#length = length
  }

  get isFree(): boolean {
    return this.#page === undefined
  }

  /** The bytes of the text from a UTF-16 code unit on. */
  byteLengthFrom(unit: number): number {
    return this.#isAscii ? this.#length - unit : countUtf8(this.read(unit))
  }

  /** The text between two UTF-16 code units. @throws after `free`. */
  read(from = 0, to = this.#length): string {
    if (this.#page === undefined) throw new Error('A freed text of the journal was read: a bug in llm-api-mock.')
    const { bytes } = this.#page
    const start = this.#start
    if (this.#isAscii) return decoder.decode(bytes.subarray(start + from, start + to))
    return decoder.decode(bytes.subarray(start, this.#end)).slice(from, to)
  }

  /** Frees the memory; a second call does nothing. */
  free(): void {
    if (this.#page === undefined) return
    this.#arena.free(this.#page)
    this.#page = undefined
  }

  get #isAscii(): boolean {
    return this.#end - this.#start === this.#length
  }
}
