/** The list of an embeddings answer: built at once if it is short, and otherwise while it is sent. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { encodeBase64, formatVector } from '../../../lib/embeddings/float32.ts'
import type { EmbeddingItem } from '../../../protocol/faults/fault.ts'
import type { TextParts } from '../../../protocol/plan/text-parts.ts'

/** The form of the vectors of a list. */
interface VectorFormat {
  readonly isBase64: boolean
  /** Everything that an item depends on besides its text. */
  readonly space: string
}

/** A longer list is built when it is sent: a full batch takes up to 85 MB. */
const MAX_BUILT_BYTES = 1_000_000

/** The size of a list, and its JSON if it is short. */
interface MeasuredList {
  readonly byteLength: number
  readonly json: string | undefined
}

/**
 * Measures the items as JSON, separated by commas.
 * @param maxBytes the size at which measuring stops, because the answer is too large then; its size is an estimate.
 */
export function measureList(items: readonly EmbeddingItem[], format: VectorFormat, maxBytes: number): MeasuredList {
  if (format.isBase64) {
    let byteLength = 0
    for (const [position, { index, dimensions }] of items.entries())
      byteLength += itemJson(position, index, '""').length + 4 * Math.ceil((dimensions * 4) / 3)
    if (byteLength > MAX_BUILT_BYTES) return { byteLength, json: undefined }
  }
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
  readonly #format: VectorFormat
  readonly byteLength: number

  constructor(items: readonly EmbeddingItem[], format: VectorFormat, byteLength: number) {
    this.#items = items
    this.#format = format
    this.byteLength = byteLength
  }

  *[Symbol.iterator](): Generator<string> {
    for (let position = 0; position < this.#items.length; position++) yield textOf(this.#items, position, this.#format)
  }
}

// An embedding with 1,536 coordinates takes about 19 KB as decimals, so the cache takes about 5 MB at most.
const cache = new MemoCache<string>(256, 1024)

/** The JSON of an item. The vectors of texts are cached, because short texts tend to come again. */
function textOf(items: readonly EmbeddingItem[], position: number, { isBase64, space }: VectorFormat): string {
  const { index, text, vector } = items[position]!
  const write = (): string => (isBase64 ? `"${encodeBase64(vector())}"` : formatVector(vector()))
  return itemJson(position, index, text === undefined ? write() : cache.of(space + text, write))
}

const itemJson = (position: number, index: number, embedding: string): string =>
  `${position === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${embedding}}`
