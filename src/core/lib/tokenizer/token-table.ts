/**
 * The tokens of an encoding: found by their bytes, and by their ids.
 *
 * Layout of a table file, which scripts/token-tables.ts writes:
 *
 *     slot count   a power of two, as an integer of 4 bytes
 *     slots        a hash table with linear probing, an integer of 4 bytes each; 0 is a free slot
 *     tokens       in the order of their ids: a byte for the length of a token, then its bytes
 *
 * The place of a token is the index of the byte with its length. Tokens are in the order of their ids, so places are too:
 * comparing two places compares the ids. That is all that a merge needs, so the place is the rank of a token: of two possible
 * merges, the one whose token has the lower rank goes first.
 *
 *     id 0 `!`, id 1 `he`      tokens 01 21 02 68 65, places 0 and 2
 *
 * The lower 21 bits of a slot are a place plus 1, enough for 2 MB of tokens; the upper 11 bits are those of the hash of the
 * token's bytes, which tell nearly all other tokens apart. Integers are little-endian.
 */

const RANK_BITS = 21
const RANK_MASK = 2 ** RANK_BITS - 1
/** The largest share of slots that are taken. With more, searches take longer; with less, files are larger. */
const MAX_LOAD = 0.8
/** The rank of bytes that are no token: above all others. */
export const NO_RANK = 0x7fffffff
/** The length of the longest token, in bytes. */
const MAX_TOKEN_LENGTH = 128

export class TokenTable {
  readonly #tokens: Uint8Array
  readonly #slots: Int32Array
  /** The place of each token by its id; found by the first `bytesOf`. */
  #places: readonly number[] | undefined

  /** @param slots computed unless given; loading them from a file takes a tenth of the time. */
  constructor(tokens: Uint8Array, slots = computeSlots(tokens)) {
    this.#tokens = tokens
    this.#slots = slots
  }

  /** The table in a file, which is not copied: its bytes must begin at a multiple of 4 of their buffer. */
  static ofFile({ buffer, byteOffset, byteLength }: Uint8Array): TokenTable {
    const [slotCount = 0] = new Int32Array(buffer, byteOffset, 1)
    const start = 4 + 4 * slotCount
    const tokens = new Uint8Array(buffer, byteOffset + start, byteLength - start)
    return new TokenTable(tokens, new Int32Array(buffer, byteOffset + 4, slotCount))
  }

  /** The rank of the token with the bytes from `start` to `end`; `NO_RANK` if no token has them. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > MAX_TOKEN_LENGTH) return NO_RANK
    const slots = this.#slots
    const mask = slots.length - 1
    const hash = hashOf(bytes, start, end)
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = slots[at]!
      if (slot === 0) return NO_RANK
      const hasSameHash = (slot ^ hash) >>> RANK_BITS === 0
      if (hasSameHash) {
        const rank = (slot & RANK_MASK) - 1
        if (this.#hasBytes(rank, bytes, start, end)) return rank
      }
    }
  }

  /** The bytes of the token with an id; none for an unknown id. */
  bytesOf(id: number): Uint8Array {
    // Only requests with token ids need the places, so most processes don't.
    this.#places ??= [...placesOf(this.#tokens)]
    const place = this.#places[id]
    return place === undefined ? new Uint8Array() : this.#tokens.subarray(place + 1, place + 1 + this.#tokens[place]!)
  }

  #hasBytes(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const tokens = this.#tokens
    if (tokens[place] !== end - start) return false
    const offset = place + 1 - start
    for (let index = start; index < end; index++) {
      if (tokens[index + offset] !== bytes[index]) return false
    }
    return true
  }
}

/** The place of each token. */
function* placesOf(tokens: Uint8Array): Iterable<number> {
  for (let place = 0; place < tokens.length; place += 1 + tokens[place]!) yield place
}

/** Puts each token into the first free slot from that of its hash on. */
export function computeSlots(tokens: Uint8Array): Int32Array {
  const places = [...placesOf(tokens)]
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(places.length / MAX_LOAD)))
  const mask = slots.length - 1
  for (const place of places) {
    const start = place + 1
    const hash = hashOf(tokens, start, start + tokens[place]!)
    let at = hash & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = (hash & ~RANK_MASK) | (place + 1)
  }
  return slots
}

/** FNV-1a with a last step of MurmurHash3, because both ends of the hash are used. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ bytes[index]!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
