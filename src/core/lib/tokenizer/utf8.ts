/** UTF-8 for parts of strings. A lone surrogate is written as U+FFFD, as TextEncoder does. */

/** Bytes of a code point. */
export function byteLength(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

/** Writes a text from `start` to `end` to the beginning of `bytes`, which has room for it. Returns how many bytes it is. */
export function writeUtf8(text: string, start: number, end: number, bytes: Uint8Array): number {
  let length = 0
  for (let index = start; index < end; index++) {
    let code = text.charCodeAt(index)
    if (code < 0x80) {
      bytes[length++] = code
      continue
    }
    if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6)
      bytes[length++] = 0x80 | (code & 0x3f)
      continue
    }
    if (code >= 0xd800 && code < 0xe000) {
      const codePoint = text.codePointAt(index)!
      if (codePoint > 0xffff && index + 1 < end) {
        index++
        bytes[length++] = 0xf0 | (codePoint >> 18)
        bytes[length++] = 0x80 | ((codePoint >> 12) & 0x3f)
        bytes[length++] = 0x80 | ((codePoint >> 6) & 0x3f)
        bytes[length++] = 0x80 | (codePoint & 0x3f)
        continue
      }
      code = 0xfffd
    }
    bytes[length++] = 0xe0 | (code >> 12)
    bytes[length++] = 0x80 | ((code >> 6) & 0x3f)
    bytes[length++] = 0x80 | (code & 0x3f)
  }
  return length
}
