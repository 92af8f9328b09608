/**
 * Reads the size of an image from the header of its file, for the tokens that it costs: `data:image/png;base64,iVBORw0KG...`
 * gives `{ width: 640, height: 480 }`. Only the bytes that are needed are decoded.
 */

import { readBase64 } from '../text/bytes.ts'

interface ImageSize {
  readonly width: number
  readonly height: number
}

/** The beginning of a data URL, up to its base64. */
export const DATA_URL = /^data:[^,]{0,200};base64,/
/** More than the header of any WebP needs. */
const HEADER_BYTES = 30
/** Some encoders break base64 into lines of 64 or 76 characters. */
const MAX_LINE = 80
/** Cameras write about ten segments before the size. */
const MAX_JPEG_SEGMENTS = 300

/** The largest side that JPEG and GIF can state. A PNG that states a larger one is not real. */
const MAX_SIDE = 0xffff

// The first bytes of the formats. A WebP is a RIFF file of one of three kinds.
const PNG = 0x89504e47
const GIF = 0x47494638
const JPEG = 0xffd8
const RIFF = 0x52494646
const VP8 = 0x56503820
const VP8L = 0x5650384c
const VP8X = 0x56503858

/** The size of a PNG, JPEG, GIF or WebP image; undefined if it can't be read. */
export function readImageSize(url: string): ImageSize | undefined {
  const [prefix] = DATA_URL.exec(url) ?? []
  if (prefix === undefined) return undefined
  const isWrapped = /\s/.test(url.slice(prefix.length, prefix.length + MAX_LINE))
  const text = isWrapped ? prefix + url.slice(prefix.length).replaceAll(/\s/g, '') : url
  const read = (offset: number, length: number): DataView => readBase64(text, prefix.length, offset, length)
  try {
    const size = sizeIn(read(0, HEADER_BYTES)) ?? jpegSize(read)
    const isReal = size !== undefined && [size.width, size.height].every((side) => side > 0 && side <= MAX_SIDE)
    return isReal ? size : undefined
  } catch {
    // The data is not base64, or the file ends before its size.
    return undefined
  }
}

/** The size in the header of a PNG, GIF or WebP image. The numbers are the offsets of the fields. */
function sizeIn(header: DataView): ImageSize | undefined {
  const format = header.getUint32(0)
  if (format === PNG) return { width: header.getUint32(16), height: header.getUint32(20) }
  if (format === GIF) return { width: header.getUint16(6, true), height: header.getUint16(8, true) }
  if (format !== RIFF) return undefined
  switch (header.getUint32(12)) {
    case VP8:
      return { width: header.getUint16(26, true) & 0x3fff, height: header.getUint16(28, true) & 0x3fff }
    case VP8L: {
      // 14 bits each, less 1.
      const bits = header.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case VP8X:
      // 24 bits each, less 1.
      return { width: (header.getUint32(24, true) & 0xffffff) + 1, height: (header.getUint32(26, true) >>> 8) + 1 }
    default:
      return undefined
  }
}

/** The size in the first segment of a JPEG image that starts a frame (SOF). */
function jpegSize(read: (offset: number, length: number) => DataView): ImageSize | undefined {
  if (read(0, 2).getUint16(0) !== JPEG) return undefined
  let offset = 2
  for (let count = 0; count < MAX_JPEG_SEGMENTS; count++) {
    const segment = read(offset, 9)
    const marker = segment.getUint16(0)
    // 0xffc4, 0xffc8 and 0xffcc are tables.
    const isFrame = marker === 0xffc0 || (marker > 0xffc0 && marker < 0xffd0 && marker % 4 !== 0)
    if (isFrame) return { width: segment.getUint16(7), height: segment.getUint16(5) }
    if (marker < 0xff00) return undefined
    // Segments may have bytes of 0xff before them.
    offset += marker === 0xffff ? 1 : 2 + segment.getUint16(2)
  }
  return undefined
}
