/** Reads audio files strictly, byte by byte: every size and checksum in them must be right. */

export interface Decoded {
  readonly sampleRate: number
  readonly channels: number
  /** The length in samples. */
  readonly length: number
  /** Undefined for a format whose samples are not decoded here. */
  readonly samples?: readonly number[]
}

export function decodeWav(file: Buffer): Decoded {
  check(file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE', 'RIFF WAVE')
  check(file.readUInt32LE(4) === file.length - 8, 'the size of RIFF')
  check(file.toString('latin1', 12, 16) === 'fmt ' && file.readUInt32LE(16) === 16, 'fmt')
  const [format, channels, sampleRate, byteRate, blockAlign, bits] = [
    file.readUInt16LE(20),
    file.readUInt16LE(22),
    file.readUInt32LE(24),
    file.readUInt32LE(28),
    file.readUInt16LE(32),
    file.readUInt16LE(34),
  ]
  check(format === 1 && bits === 16, '16-bit PCM')
  check(blockAlign === (channels * bits) / 8 && byteRate === sampleRate * blockAlign, 'the rates')
  check(file.toString('latin1', 36, 40) === 'data' && file.readUInt32LE(40) === file.length - 44, 'the size of data')
  const samples = samplesOf(file.subarray(44))
  return { sampleRate, channels, length: samples.length, samples }
}

export const decodePcm16 = (file: Buffer): Decoded => {
  const samples = samplesOf(file)
  return { sampleRate: 24_000, channels: 1, length: samples.length, samples }
}

const samplesOf = (data: Buffer): number[] =>
  Array.from({ length: data.length / 2 }, (_, index) => data.readInt16LE(index * 2))

const MP3_KBITS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const MP3_RATES = [22_050, 24_000, 16_000]

/** MPEG-2 layer III. Frames without main data are silent. */
export function decodeMp3(file: Buffer): Decoded {
  let frames = 0
  for (let at = 0; at < file.length; frames++) {
    const head = file.readUInt32BE(at)
    check(head >>> 16 === 0xfff3, 'the sync of MPEG-2 layer III without a CRC')
    const bitrate = MP3_KBITS[(head >>> 12) & 15]! * 1000
    const rate = MP3_RATES[(head >>> 10) & 3]!
    check(rate === 24_000 && ((head >>> 6) & 3) === 3, '24 kHz mono')
    const size = Math.floor((72 * bitrate) / rate) + ((head >>> 9) & 1)
    check(at + size <= file.length, 'a whole frame')
    check(
      file.subarray(at + 4, at + size).every((byte) => byte === 0),
      'no main data',
    )
    at += size
  }
  return { sampleRate: 24_000, channels: 1, length: frames * 576 }
}

export function decodeAac(file: Buffer): Decoded {
  let frames = 0
  for (let at = 0; at < file.length; frames++) {
    check(file.readUInt16BE(at) === 0xfff1, 'the sync of ADTS without a CRC')
    const bits = file.readUInt32BE(at + 2)
    check(bits >>> 30 === 1 && ((bits >>> 26) & 15) === 6, 'AAC-LC at 24 kHz')
    check(((bits >>> 22) & 7) === 1, 'mono')
    const size = (bits >>> 5) & 0x1fff
    check(size > 7 && at + size <= file.length, 'a whole frame')
    // A channel element (0, tag 0), and the id 7 of the end in the last bits.
    check(
      file[at + 7]! >> 1 === 0 && (file[at + size - 1]! & 0x80) !== 0 && (file[at + size - 2]! & 3) === 3,
      'the end',
    )
    at += size
  }
  return { sampleRate: 24_000, channels: 1, length: frames * 1024 }
}

export function decodeFlac(file: Buffer): Decoded {
  check(file.toString('latin1', 0, 4) === 'fLaC' && file.readUInt32BE(4) === 0x80000022, 'STREAMINFO')
  const block = file.readUInt16BE(8)
  const rate = file.readUIntBE(18, 3) >> 4
  const channels = ((file[20]! >> 1) & 7) + 1
  const bits = ((file[20]! & 1) << 4) + (file[21]! >> 4) + 1
  check(bits === 16 && file.readUInt16BE(10) === block && (file[21]! & 15) === 0, '16 bits')
  const samples: number[] = []
  const size = 8 + 1 + block * 2 + 2
  for (let at = 42, number = 0; at < file.length; at += size, number++) {
    const frame = file.subarray(at, at + size)
    check(frame.readUInt32BE(0) === 0xfff87708 && frame[4] === number, 'the head of a frame')
    check(frame.readUInt16BE(5) + 1 === block, 'the size of the block')
    check(frame[7] === crcOf(frame.subarray(0, 7), 0x07n, 8n), 'the CRC of the head')
    check(frame[8] === 2, 'a verbatim subframe')
    for (let index = 0; index < block; index++) samples.push(frame.readInt16BE(9 + index * 2))
    check(frame.readUInt16BE(size - 2) === crcOf(frame.subarray(0, size - 2), 0x8005n, 16n), 'the CRC of the frame')
  }
  check(samples.length === file.readUInt32BE(22), 'the number of samples')
  return { sampleRate: rate, channels, length: samples.length, samples }
}

/** Ogg Opus whose packets are each 20 ms. The length is at 48 kHz. */
export function decodeOpus(file: Buffer): Decoded {
  const packets: Buffer[] = []
  let [flags, granule, number] = [0, 0n, 0]
  for (let at = 0; at < file.length; number++) {
    check(file.toString('latin1', at, at + 4) === 'OggS' && file[at + 4] === 0, 'a page')
    flags = file[at + 5]!
    granule = file.readBigUInt64LE(at + 6)
    check(file.readUInt32LE(at + 18) === number && (flags & 2) === (number === 0 ? 2 : 0), 'the order of pages')
    const sizes = [...file.subarray(at + 27, at + 27 + file[at + 26]!)]
    check(
      sizes.every((size) => size < 255),
      'whole packets',
    )
    const start = at + 27 + sizes.length
    const end = start + sizes.reduce((sum, size) => sum + size, 0)
    const page = Buffer.from(file.subarray(at, end))
    page.fill(0, 22, 26)
    check(file.readUInt32LE(at + 22) === crcOf(page, 0x04c11db7n, 32n), 'the CRC of a page')
    let place = start
    for (const size of sizes) packets.push(file.subarray(place, (place += size)))
    check(place === end && end <= file.length, 'the size of a page')
    at = end
  }
  check((flags & 4) === 4, 'the last page')
  const [head, tags, ...sound] = packets
  check(head!.toString('latin1', 0, 8) === 'OpusHead' && head![8] === 1 && head!.length === 19, 'OpusHead')
  check(tags!.toString('latin1', 0, 8) === 'OpusTags', 'OpusTags')
  // CELT, full band, 20 ms, one frame.
  for (const packet of sound) check(packet[0] === 0xf8, 'the configuration of a packet')
  check(granule === BigInt(sound.length * 960), 'the granule position')
  return { sampleRate: 48_000, channels: head![9]!, length: sound.length * 960 }
}

/** A CRC bit by bit, on big integers, so that it shares no shortcut with the code under test. */
function crcOf(bytes: Buffer, polynomial: bigint, bits: bigint): number {
  let value = 0n
  for (const byte of bytes) {
    for (let bit = 7n; bit >= 0n; bit--) {
      const out = (value >> (bits - 1n)) & 1n
      value = ((value << 1n) & ((1n << bits) - 1n)) ^ (out ^ ((BigInt(byte) >> bit) & 1n) ? polynomial : 0n)
    }
  }
  return Number(value)
}

function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`The file is not valid: ${what}.`)
}

export const decoders: Readonly<Record<string, (file: Buffer) => Decoded>> = {
  wav: decodeWav,
  mp3: decodeMp3,
  aac: decodeAac,
  flac: decodeFlac,
  opus: decodeOpus,
  pcm16: decodePcm16,
}
