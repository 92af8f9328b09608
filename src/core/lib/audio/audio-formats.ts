/**
 * Writes spoken answers as audio files: `AUDIO_FORMATS.wav(20)` is a WAV file of one second, because an audio token is 50 ms.
 *
 * There is no speech in them. WAV, FLAC and pcm16 hold a quiet tone, the compressed formats silence, at 24 kHz and in mono.
 */

import { concatBytes } from '../text/bytes.ts'

const SAMPLE_RATE = 24_000
/** Samples of an audio token: 50 ms. */
const SAMPLES_PER_TOKEN = 1200
const BYTES_PER_SAMPLE = 2

/** Samples of a period of the tone: 400 Hz, so an audio token is 20 whole periods, and tokens join without a click. */
const PERIOD = 60
/** Rise of the wave from one sample to the next. */
const STEP = 200

/** The samples of the tone, little-endian: a triangle wave, because engines may round sines differently. */
function pcm16(tokens: number): Uint8Array {
  const count = tokens * SAMPLES_PER_TOKEN
  const bytes = new Uint8Array(count * BYTES_PER_SAMPLE)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < count; index++) {
    // The wave rises in the first and the last quarter of a period, and falls in between.
    const place = (index + PERIOD / 4) % PERIOD
    view.setInt16(index * BYTES_PER_SAMPLE, STEP * (PERIOD / 4 - Math.abs(place - PERIOD / 2)), true)
  }
  return bytes
}

const join = (...parts: readonly Uint8Array[]): Uint8Array => concatBytes(parts)

const encoder = new TextEncoder()

/** A whole number in so many bytes, little-endian. */
const littleEndian = (value: number, size: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => Math.floor(value / 256 ** index) & 0xff)

/** A whole number in so many bytes, big-endian. */
const bigEndian = (value: number, size: number): Uint8Array => littleEndian(value, size).reverse()

/** A checksum (CRC) without reflection that starts at 0, of 8, 16 or 32 bits. */
function crc(bytes: Uint8Array, bits: number, polynomial: number): number {
  const top = 2 ** (bits - 1)
  let value = 0
  for (const byte of bytes) {
    value ^= byte << (bits - 8)
    for (let bit = 0; bit < 8; bit++) value = value & top ? (value << 1) ^ polynomial : value << 1
  }
  return bits === 32 ? value >>> 0 : value & (2 ** bits - 1)
}

/** @see http://soundfile.sapp.org/doc/WaveFormat/ */
function wav(tokens: number): Uint8Array {
  const samples = pcm16(tokens)
  const mono = join(littleEndian(1, 2), littleEndian(1, 2)) // PCM, one channel
  const rates = join(littleEndian(SAMPLE_RATE, 4), littleEndian(SAMPLE_RATE * BYTES_PER_SAMPLE, 4))
  const format = join(mono, rates, littleEndian(BYTES_PER_SAMPLE, 2), littleEndian(8 * BYTES_PER_SAMPLE, 2))
  const chunks = join(encoder.encode('WAVE'), chunk('fmt ', format), chunk('data', samples))
  return chunk('RIFF', chunks)
}

const chunk = (name: string, data: Uint8Array): Uint8Array =>
  join(encoder.encode(name), littleEndian(data.length, 4), data)

/** A format of equal frames of `samples` samples: as many of them as last as long as the tokens. */
const framesOf =
  (samples: number, frame: Uint8Array) =>
  (tokens: number): Uint8Array =>
    join(...Array<Uint8Array>(Math.ceil((tokens * SAMPLES_PER_TOKEN) / samples)).fill(frame))

// MPEG-2 layer III, without a CRC, 64 kbit/s at 24 kHz, mono. No granule has data, so all samples are 0.
const mp3 = framesOf(576, join(Uint8Array.of(0xff, 0xf3, 0x84, 0xc0), new Uint8Array(188)))

// ADTS without a CRC, AAC-LC at 24 kHz, mono, 13 bytes a frame; then one channel element with no spectrum, and its end.
const AAC_FRAME = Uint8Array.of(0xff, 0xf1, 0x58, 0x40, 0x01, 0xbf, 0xfc, 0x00, 0xc8, 0x00, 0x80, 0x23, 0x80)
const aac = framesOf(1024, AAC_FRAME)

/** @see https://www.rfc-editor.org/rfc/rfc9639 */
function flac(tokens: number): Uint8Array {
  const samples = tokens * SAMPLES_PER_TOKEN
  const block = bigEndian(SAMPLES_PER_TOKEN, 2)
  const streamInfo = join(
    Uint8Array.of(0x80), // the last block of metadata
    bigEndian(34, 3),
    block,
    block,
    new Uint8Array(6), // frame sizes: unknown
    bigEndian(SAMPLE_RATE * 16, 3), // 20 bits, and 4 of 0: mono, and the first bit of the sample size
    Uint8Array.of(0xf0), // the rest of the sample size: 16 bits
    bigEndian(samples, 4),
    new Uint8Array(16), // the MD5 of the samples: unknown
  )
  const all = pcm16(tokens)
  const size = SAMPLES_PER_TOKEN * BYTES_PER_SAMPLE
  const blocks = Array.from({ length: tokens }, (_, number) =>
    flacFrame(number, all.subarray(number * size, (number + 1) * size)),
  )
  return join(encoder.encode('fLaC'), streamInfo, ...blocks)
}

/** A frame of one verbatim subframe. @param number below 128. */
function flacFrame(number: number, samples: Uint8Array): Uint8Array {
  // Sync code, fixed block size; its 16 bits follow, 24 kHz; mono, 16 bits; the number, the block size less 1.
  const head = join(Uint8Array.of(0xff, 0xf8, 0x77, 0x08, number), bigEndian(SAMPLES_PER_TOKEN - 1, 2))
  const verbatim = Uint8Array.of(0x02)
  // The two bytes of each sample change places.
  const bigEndianSamples = samples.map((_, index) => samples[index ^ 1]!)
  const frame = join(head, Uint8Array.of(crc(head, 8, 0x07)), verbatim, bigEndianSamples)
  return join(frame, bigEndian(crc(frame, 16, 0x8005), 2))
}

/** The number of the stream in an Ogg file, which has no other. */
const SERIAL = 1
/** Offset of the checksum in a page, which is computed with zeros in its place. */
const CRC_AT = 22

/** The flags of a page by its place in an Ogg stream. */
const OGG = { first: 2, inside: 0, last: 4 } as const

/**
 * A page of an Ogg stream. @see https://www.rfc-editor.org/rfc/rfc3533
 * @param packets at most 255 of them, each shorter than 255 bytes.
 * @param granule the position of the last sample.
 */
function oggPage(number: number, place: keyof typeof OGG, packets: readonly Uint8Array[], granule = 0): Uint8Array {
  const page = join(
    encoder.encode('OggS'),
    Uint8Array.of(0, OGG[place]),
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

/** Opus in Ogg. @see https://www.rfc-editor.org/rfc/rfc7845 */
function opus(tokens: number): Uint8Array {
  // Opus counts samples at 48 kHz, whatever the rate of the input; decoders drop those of the pre-skip.
  const rate = 48_000
  const preSkip = 312
  const packet = Uint8Array.of(0xf8, 0xff, 0xfe) // 20 ms of silence: CELT, full band, mono
  const packets = Array<Uint8Array>(Math.ceil((tokens * 50) / 20)).fill(packet)
  const sizes = [littleEndian(preSkip, 2), littleEndian(SAMPLE_RATE, 4)]
  // Version 1, one channel; no gain, one stream.
  const head = join(encoder.encode('OpusHead'), Uint8Array.of(1, 1), ...sizes, new Uint8Array(3))
  const vendor = encoder.encode('llm-api-mock')
  const tags = join(encoder.encode('OpusTags'), littleEndian(vendor.length, 4), vendor, littleEndian(0, 4))
  return join(
    oggPage(0, 'first', [head]),
    oggPage(1, 'inside', [tags]),
    oggPage(2, 'last', packets, (packets.length * rate * 20) / 1000),
  )
}

/** The writers of files by the name of their format, as requests have it. Each takes a number of audio tokens. */
export const AUDIO_FORMATS = { wav, aac, mp3, flac, opus, pcm16 } as const satisfies Record<
  string,
  (tokens: number) => Uint8Array
>

export type AudioFormat = keyof typeof AUDIO_FORMATS
