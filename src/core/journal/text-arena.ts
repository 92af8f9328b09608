/**
 * Stores texts as bytes outside the heap.
 *
 * The garbage collector copies long-lived strings: keeping the texts of thousands of calls as strings took as long as
 * all other work of a call. It does not look into a few large pages of bytes. A page is reused when all its texts are
 * freed; texts are freed in about the order they were stored in, so few pages are half empty.
 */

const PAGE_BYTES = 1_048_576
/** A text that may take more bytes gets a separate page. */
const MAX_SHARED_BYTES = 262_144
/** In UTF-8, for each UTF-16 code unit. */
const MAX_BYTES_PER_CHARACTER = 3
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

  /** Stores a text. Half a surrogate pair becomes U+FFFD, as on the network. */
  store(text: string): StoredText {
    const maxBytes = text.length * MAX_BYTES_PER_CHARACTER
    if (maxBytes > MAX_SHARED_BYTES) {
      const bytes = encoder.encode(text)
      return new StoredText(this, { bytes, used: bytes.length, texts: 1 }, 0, bytes.length)
    }
    const page = this.#findPage(maxBytes)
    const start = page.used
    page.used += encoder.encodeInto(text, page.bytes.subarray(start)).written
    page.texts++
    return new StoredText(this, page, start, page.used)
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

/** A text in an arena. */
export class StoredText {
  readonly #arena: TextArena
  readonly #start: number
  readonly #end: number
  #page: Page | undefined

  constructor(arena: TextArena, page: Page, start: number, end: number) {
    this.#arena = arena
    this.#page = page
    this.#start = start
    this.#end = end
  }

  get byteLength(): number {
    return this.#end - this.#start
  }

  /** @throws after `free`. */
  read(): string {
    if (this.#page === undefined) throw new Error('A freed text of the journal was read: a bug in llm-api-mock.')
    return decoder.decode(this.#page.bytes.subarray(this.#start, this.#end))
  }

  /** Frees the memory; a second call does nothing. */
  free(): void {
    if (this.#page === undefined) return
    this.#arena.free(this.#page)
    this.#page = undefined
  }
}
