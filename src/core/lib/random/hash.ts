/** Fast 32-bit hashes that are the same in every engine, for feature hashing and fingerprints, not for secrets. */

/**
 * Scrambles 32 bits so that every bit of the result depends on every bit of `x`; no two inputs share a result.
 * The finaliser of MurmurHash3 (Austin Appleby, public domain). `mix32(0)` is 0.
 * @returns a whole number in [0, 2^32).
 */
export function mix32(x: number): number {
  let mixed = x ^ (x >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * One step of MurmurHash3's body: takes a whole number of up to 32 bits into a running hash. Not scrambled enough to
 * be used by itself; finish with `mix32`.
 * @returns a signed 32-bit number, the new running hash.
 */
export function absorb(hash: number, value: number): number {
  let block = Math.imul(value, 0xcc9e2d51)
  block = Math.imul((block << 15) | (block >>> 17), 0x1b873593)
  const turned = hash ^ block
  return (Math.imul((turned << 13) | (turned >>> 19), 5) + 0xe6546b64) | 0
}

/**
 * Hashes a text as its UTF-16 code units, so any JavaScript string will do, lone surrogates included. The steps are
 * MurmurHash3's with one code unit a block; different seeds give independent hashes.
 * @param seed a whole number, of which 32 bits count.
 * @returns a whole number in [0, 2^32).
 * @example hash32('hello', 1) !== hash32('hello', 2)
 */
export function hash32(text: string, seed: number): number {
  let hash = seed | 0
  for (let i = 0; i < text.length; i++) hash = absorb(hash, text.charCodeAt(i))
  return mix32(hash ^ text.length)
}

/** 64 bits of hash as a short text of letters and digits. */
export const hashName = (text: string): string => hash32(text, 1).toString(36) + hash32(text, 2).toString(36)
