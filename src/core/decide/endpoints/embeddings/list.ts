/** The list of an embeddings answer: built at once if it is short, and otherwise while it is sent. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { encodeBase64, formatVector } from '../../../lib/embeddings/float32.ts'
import type { EmbeddingItem } from '../../../protocol/faults/fault.ts'
import type { TextParts } from '../../../protocol/plan/text-parts.ts'

/** How the vectors of a list are written. */
interface Format {
  readonly isBase64: boolean
  /** What an item depends on besides its text. */
  readonly space: string
}

/** A longer list is built when it is sent: a full batch takes up to 85 MB. */
const MAX_BUILT_BYTES = 1_000_000

/** The size of a list, and its JSON if it is short. */
export interface MeasuredList {
  readonly byteLength: number
  readonly json: string | undefined
}

/**
 * Measures the items as JSON, separated by commas.
 * @param maxBytes the size at which measuring stops, because the answer is too large then; its size is an estimate.
 */
export function measureList(items: readonly EmbeddingItem[], format: Format, maxBytes: number): MeasuredList {
  const base64Bytes = format.isBase64 ? countBase64(items) : 0
  if (base64Bytes > MAX_BUILT_BYTES) return { byteLength: base64Bytes, json: undefined }
  let json = ''
  let bytes = 0
  for (let position = 0; position < items.length; position++) {
    const text = textOf(items, position, format)
    bytes += text.length
    if (bytes > maxBytes) return { byteLength: Math.ceil((bytes * items.length) / (position + 1)), json: undefined }
    json = bytes > MAX_BUILT_BYTES ? '' : json + text
  }
  return { byteLength: bytes, json: bytes > MAX_BUILT_BYTES ? undefined : json }
}

/** A list whose items are built when they are sent. */
export class LongList implements TextParts {
  readonly #items: readonly EmbeddingItem[]
  readonly #format: Format
  readonly byteLength: number

  constructor(items: readonly EmbeddingItem[], format: Format, byteLength: number) {
    this.#items = items
    this.#format = format
    this.byteLength = byteLength
  }

  *[Symbol.iterator](): Generator<string> {
    for (let position = 0; position < this.#items.length; position++) yield textOf(this.#items, position, this.#format)
  }
}

/** The size of the list as base64. */
const countBase64 = (items: readonly EmbeddingItem[]): number =>
  items.reduce((sum, { index, dimensions }, position) => {
    return sum + itemJson(position, index, '""').length + 4 * Math.ceil((dimensions * 4) / 3)
  }, 0)

// An embedding with 1,536 coordinates takes about 19 KB as decimals, so the cache takes about 5 MB at most.
const cache = new MemoCache<string>(256, 1024)

/** The JSON of an item. The vectors of texts are cached, because short texts tend to come again. */
function textOf(items: readonly EmbeddingItem[], position: number, { isBase64, space }: Format): string {
  const { index, text, vector } = items[position]!
  const write = (): string => (isBase64 ? `"${encodeBase64(vector())}"` : formatVector(vector()))
  return itemJson(position, index, text === undefined ? write() : cache.of(space + text, write))
}

const itemJson = (position: number, index: number, embedding: string): string =>
  `${position === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${embedding}}`
