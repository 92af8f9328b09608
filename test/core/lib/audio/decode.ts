/** Reads audio files strictly, byte by byte: every size in them must be right. */

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

function check(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`The file is not valid: ${what}.`)
}

export const decoders: Readonly<Record<string, (file: Buffer) => Decoded>> = {
  wav: decodeWav,
  mp3: decodeMp3,
  aac: decodeAac,
  flac: decodeWav,
  opus: decodeWav,
  pcm16: decodePcm16,
}
