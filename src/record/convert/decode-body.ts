/** Decompresses the body of a recorded answer. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { Body } from './conversion.ts'

/** A small file can hold a body of many gigabytes, and a cassette holds 10 MB. */
const MAX_BODY_BYTES = 10_000_000

const LIMIT = { maxOutputLength: MAX_BODY_BYTES }

const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, LIMIT),
  'x-gzip': (bytes) => gunzipSync(bytes, LIMIT),
  // With the header of zlib or without: servers disagree.
  deflate: (bytes) => (bytes[0] === 0x78 ? inflateSync(bytes, LIMIT) : inflateRawSync(bytes, LIMIT)),
  br: (bytes) => brotliDecompressSync(bytes, LIMIT),
}

/**
 * The bytes of a body. Some recorders decompress a body and keep its `content-encoding`, so bytes that cannot be
 * decompressed and are text are returned as they are.
 * @throws when the bytes are compressed in an unknown way.
 */
export function decodeBody(body: Body, encoding = 'identity'): Uint8Array {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '' || bytes.length === 0) return bytes
  try {
    const decode = DECODERS[name]
    if (decode !== undefined) return decode(bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Error(`its body has more than ${MAX_BODY_BYTES} bytes when decompressed`)
  }
  if (isText(bytes)) return bytes
  throw new Error(`its body is compressed (${name}) and cannot be decompressed`)
}

export function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
