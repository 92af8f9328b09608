/** A page of an Ogg stream. @see https://www.rfc-editor.org/rfc/rfc3533 */

import { ascii, crc, join, littleEndian } from './bytes.ts'

interface Page {
  readonly number: number
  readonly isFirst?: boolean
  readonly isLast?: boolean
  /** At most 255 of them, each shorter than 255 bytes. */
  readonly packets: readonly Uint8Array[]
  /** The position of the last sample. */
  readonly granule?: number
}

const SERIAL = 1
const CRC_AT = 22

export function oggPage({ number, isFirst = false, isLast = false, packets, granule = 0 }: Page): Uint8Array {
  const page = join(
    ascii('OggS'),
    Uint8Array.of(0, (isFirst ? 2 : 0) + (isLast ? 4 : 0)),
    littleEndian(granule, 8),
    littleEndian(SERIAL, 4),
    littleEndian(number, 4),
    littleEndian(0, 4),
    Uint8Array.of(packets.length, ...packets.map(({ length }) => length)),
    ...packets,
  )
  page.set(littleEndian(crc(page, 32, 0x04c11db7), 4), CRC_AT)
  return page
}
