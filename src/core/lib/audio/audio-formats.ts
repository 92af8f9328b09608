/**
 * Writes spoken answers as audio files: `AUDIO_FORMATS.wav(20)` is a WAV file of one second, because an audio token is 50 ms.
 *
 * There is no speech in them. WAV and pcm16 hold a quiet tone, the compressed formats silence, at 24 kHz and in mono.
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

/** @see http://soundfile.sapp.org/doc/WaveFormat/ */
function wav(tokens: number): Uint8Array {
  const samples = pcm16(tokens)
  const mono = join(littleEndian(1, 2), littleEndian(1, 2)) // PCM, one channel
  const rates = join(littleEndian(SAMPLE_RATE, 4), littleEndian(SAMPLE_RATE * BYTES_PER_SAMPLE, 4))
  const format = join(mono, rates, littleEndian(BYTES_PER_SAMPLE, 2), littleEndian(8 * BYTES_PER_SAMPLE, 2))
  const chunk = (name: string, data: Uint8Array): Uint8Array =>
    join(encoder.encode(name), littleEndian(data.length, 4), data)
  return chunk('RIFF', join(encoder.encode('WAVE'), chunk('fmt ', format), chunk('data', samples)))
}

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

/**
 * The writers of files by the name of their format, as requests have it. Each takes a number of audio tokens. FLAC and Opus need
 * checksums and containers of their own; a WAV file takes their place, because players tell a format by its bytes.
 */
export const AUDIO_FORMATS = { wav, aac, mp3, flac: wav, opus: wav, pcm16 } as const satisfies Record<
  string,
  (tokens: number) => Uint8Array
>

export type AudioFormat = keyof typeof AUDIO_FORMATS
