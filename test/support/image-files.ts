/** The beginnings of image files of any size, as data URLs. */

const bytes = (length: number, write: (view: DataView) => void, text: string): Buffer => {
  const file = Buffer.alloc(length)
  file.write(text, 'latin1')
  write(new DataView(file.buffer, file.byteOffset, length))
  return file
}

const png = (width: number, height: number): Buffer =>
  bytes(
    33,
    (view) => {
      view.setUint32(16, width)
      view.setUint32(20, height)
    },
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  )

const gif = (width: number, height: number): Buffer =>
  bytes(
    13,
    (view) => {
      view.setUint16(6, width, true)
      view.setUint16(8, height, true)
    },
    'GIF89a',
  )

const webp = (width: number, height: number): Buffer =>
  bytes(
    40,
    (view) => {
      view.setUint16(26, width, true)
      view.setUint16(28, height, true)
    },
    'RIFF\x20\0\0\0WEBPVP8 \x14\0\0\0\x30\x01\0\x9d\x01\x2a',
  )

const webpLossless = (width: number, height: number): Buffer =>
  bytes(
    40,
    (view) => view.setUint32(21, (width - 1) | ((height - 1) << 14), true),
    'RIFF\x20\0\0\0WEBPVP8L\x14\0\0\0\x2f',
  )

const webpExtended = (width: number, height: number): Buffer =>
  bytes(
    40,
    (view) => {
      view.setUint16(24, width - 1, true)
      view.setUint16(27, height - 1, true)
    },
    'RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0',
  )

/** With `exif` bytes before its size, as a camera writes it. */
export const jpeg = (width: number, height: number, exif = 0, marker = 0xc0): Buffer => {
  const segments = Array.from({ length: Math.ceil(exif / 65_000) }, () => {
    const segment = Buffer.alloc(65_000)
    segment.writeUInt16BE(0xffe1, 0)
    segment.writeUInt16BE(64_998, 2)
    return segment
  })
  const tables = Buffer.from([0xff, 0xc4, 0, 4, 1, 2, 0xff, 0xff, 0xdb, 0, 3, 7])
  const frame = Buffer.from([0xff, marker, 0, 11, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 17, 0])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, tables, frame])
}

/** A maker of a file for each format. */
export const IMAGE_FILES = {
  png,
  gif,
  jpeg: (width: number, height: number) => jpeg(width, height),
  'progressive jpeg': (width: number, height: number) => jpeg(width, height, 0, 0xc2),
  'jpeg of a camera': (width: number, height: number) => jpeg(width, height, 200_000),
  webp,
  'lossless webp': webpLossless,
  'extended webp': webpExtended,
} as const

export const dataUrl = (file: Buffer, type = 'image/png'): string => `data:${type};base64,${file.toString('base64')}`

export const pngUrl = (width: number, height: number): string => dataUrl(png(width, height))
