/** The size of images, read from the headers of their files. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readImageSize } from '../../../../src/core/lib/images/image-size.ts'
import { dataUrl, IMAGE_FILES, jpeg, pngUrl } from '../../../support/image-files.ts'

// The largest side of a lossless WebP.
const side = fc.integer({ min: 1, max: 16_383 })

test.each(Object.entries(IMAGE_FILES))('the size of a %s is read', (_, write) => {
  fc.assert(
    fc.property(side, side, (width, height) => {
      expect(readImageSize(dataUrl(write(width, height)))).toEqual({ width, height })
    }),
    { numRuns: 30 },
  )
})

test.each([64, 76])('base64 in lines of %i characters is read', (length) => {
  for (const write of Object.values(IMAGE_FILES)) {
    const url = dataUrl(write(640, 480))
    const [start, base64] = url.split(',') as [string, string]
    const lines = base64.match(new RegExp(`.{1,${length}}`, 'g'))!
    for (const end of ['\n', '\r\n']) {
      expect(readImageSize(`${start},${lines.join(end)}`)).toEqual({ width: 640, height: 480 })
    }
  }
})

test('the recorded images have their sizes', () => {
  const icon =
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAXElEQVR42mNgoAkofv8fBVOkmQyD/sPwn1UlYAzlE6cZpgGmGZlPkgHYDCHK'
  expect(readImageSize(`data:image/png;base64,${icon}`)).toEqual({ width: 16, height: 16 })
})

test.each([
  'https://example.com/cat.png',
  'data:image/png;base64,',
  'data:image/png;base64,iVBORw0KGgo',
  'data:image/png;base64,*not base64*',
  'data:image/svg+xml,<svg/>',
  dataUrl(Buffer.from('<svg width="3" height="4"></svg>')),
  pngUrl(0, 5),
  pngUrl(5, 0xffff_ffff),
  dataUrl(jpeg(5, 5).subarray(0, 12)),
  dataUrl(Buffer.from([0xff, 0xd8, ...Array<number>(4000).fill(0xff)])),
])('%.60s has no size', (url) => expect(readImageSize(url)).toBeUndefined())

test('any bytes have a size with sides above 0, or none', () => {
  const starts = Object.values(IMAGE_FILES).map((write) => [...write(9, 9)])
  const file = fc
    .tuple(fc.constantFrom([], ...starts), fc.nat(40), fc.uint8Array({ maxLength: 60 }))
    .map(([start, kept, bytes]) => Buffer.from([...start.slice(0, kept), ...bytes]))
  fc.assert(
    fc.property(file, (bytes) => {
      const { width, height } = readImageSize(dataUrl(bytes)) ?? { width: 1, height: 1 }
      expect(Math.min(width, height)).toBeGreaterThan(0)
      expect(Math.max(width, height)).toBeLessThan(65_536)
    }),
    { numRuns: 2000 },
  )
})
