/** Bytes: joining them, checksums of them, and base64. */

export function join(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** The bytes of a text in ASCII. */
export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

/** A whole number in so many bytes, little-endian. */
export const littleEndian = (value: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** index) & 0xff)

/** A whole number in so many bytes, big-endian. */
export const bigEndian = (value: number, size: number): Uint8Array => littleEndian(value, size).reverse()

/** A CRC without reflection that starts at 0, of 8, 16 or 32 bits. */
export function crc(bytes: Uint8Array, bits: number, polynomial: number): number {
  const top = 2 ** (bits - 1)
  let value = 0
  for (const byte of bytes) {
    value ^= byte << (bits - 8)
    for (let bit = 0; bit < 8; bit++) value = value & top ? (value << 1) ^ polynomial : value << 1
  }
  return bits === 32 ? value >>> 0 : value & (2 ** bits - 1)
}

const MAX_ARGUMENTS = 8192

export function base64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += MAX_ARGUMENTS) {
    text += String.fromCharCode(...bytes.subarray(start, start + MAX_ARGUMENTS))
  }
  return btoa(text)
}
