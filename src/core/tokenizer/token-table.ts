/**
 * The tokens of an encoding: their bytes by id, and their ids by bytes. Of two possible merges the one whose token has
 * the lower id goes first, so an id is also a rank.
 *
 * Layout of a table file, which scripts/token-tables.ts writes:
 *
 *     slot count   a power of two, as an integer of 4 bytes
 *     slots        a hash table with linear probing, each slot an integer of 4 bytes: the lower 18 bits are the id of a
 *                  token plus 1, the upper 14 bits are the upper bits of the hash of its bytes; 0 is a free slot
 *     tokens       a byte for the length of each token, by id; a byte 0; the bytes of all tokens, one after the other
 *
 * Integers are little-endian. The 14 bits of the hash tell nearly all tokens apart without a look at their bytes.
 */

const ID_BITS = 18
const ID_MASK = (1 << ID_BITS) - 1
/** Of the slots, at most so many are taken: with more, searches are longer; with less, files. */
const MAX_LOAD = 0.8
const NO_BYTES = new Uint8Array()

export class TokenTable {
  readonly slots: Int32Array
  readonly tokens: Uint8Array
  /** Where the bytes of each token start in `tokens`; after the last token, where they end. */
  readonly #starts: Uint32Array
  readonly #maxLength: number

  /** The slots take longer to compute (30 ms) than to load. */
  constructor(tokens: Uint8Array, slots?: Int32Array) {
    const count = tokens.indexOf(0)
    const starts = new Uint32Array(count + 1)
    let start = count + 1
    let maxLength = 0
    for (let id = 0; id < count; id++) {
      starts[id] = start
      const length = tokens[id]!
      if (length > maxLength) maxLength = length
      start += length
    }
    starts[count] = start
    this.tokens = tokens
    this.#starts = starts
    this.#maxLength = maxLength
    this.slots = slots ?? this.#computeSlots()
  }

  /** The table in a file, without a copy of it. */
  static ofFile({ buffer, byteOffset, byteLength }: Uint8Array): TokenTable {
    const [slotCount = 0] = new Int32Array(buffer, byteOffset, 1)
    const start = 4 + 4 * slotCount
    const tokens = new Uint8Array(buffer, byteOffset + start, byteLength - start)
    return new TokenTable(tokens, new Int32Array(buffer, byteOffset + 4, slotCount))
  }

  toFile(): Uint8Array {
    const { slots, tokens } = this
    const file = new Uint8Array(4 + slots.byteLength + tokens.length)
    new Int32Array(file.buffer, 0, 1)[0] = slots.length
    new Int32Array(file.buffer, 4, slots.length).set(slots)
    file.set(tokens, 4 + slots.byteLength)
    return file
  }

  /** The id of the token with the bytes from `start` to `end`; -1 if there is none. */
  find(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > this.#maxLength) return -1
    const { slots } = this
    const mask = slots.length - 1
    const hash = hashOf(bytes, start, end)
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = slots[at]!
      if (slot === 0) return -1
      if ((slot ^ hash) >>> ID_BITS === 0) {
        const id = (slot & ID_MASK) - 1
        if (this.#hasBytes(id, bytes, start, end)) return id
      }
    }
  }

  /** The bytes of a token; none for an unknown id. */
  bytesOf(id: number): Uint8Array {
    const start = this.#starts[id]
    const end = this.#starts[id + 1]
    return start === undefined || end === undefined ? NO_BYTES : this.tokens.subarray(start, end)
  }

  #hasBytes(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const { tokens } = this
    const first = this.#starts[id]!
    const length = end - start
    if (this.#starts[id + 1]! - first !== length) return false
    for (let index = 0; index < length; index++) {
      if (tokens[first + index] !== bytes[start + index]) return false
    }
    return true
  }

  #computeSlots(): Int32Array {
    const count = this.#starts.length - 1
    const slots = new Int32Array(2 ** Math.ceil(Math.log2(count / MAX_LOAD)))
    const mask = slots.length - 1
    for (let id = 0; id < count; id++) {
      const hash = hashOf(this.tokens, this.#starts[id]!, this.#starts[id + 1]!)
      let at = hash & mask
      while (slots[at] !== 0) at = (at + 1) & mask
      slots[at] = (hash & ~ID_MASK) | (id + 1)
    }
    return slots
  }
}

/** FNV-1a with a last step of MurmurHash3, because both ends of the hash are used. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
