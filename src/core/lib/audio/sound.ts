/** The sound of a mock: a quiet tone, measured in audio tokens of 50 ms, as 16-bit samples at 24 kHz. */

export const SAMPLE_RATE = 24_000
/** Samples of an audio token: 50 ms. */
export const SAMPLES_PER_TOKEN = 1200
export const BYTES_PER_SAMPLE = 2

/** 400 Hz, so an audio token is 20 whole periods, and tokens join without a click. */
const PERIOD = 60
const STEP = 200

/** The samples of the tone, little-endian: a triangle wave, because engines may round sines differently. */
export function pcm16(tokens: number): Uint8Array {
  const count = tokens * SAMPLES_PER_TOKEN
  const bytes = new Uint8Array(count * BYTES_PER_SAMPLE)
  const view = new DataView(bytes.buffer)
  for (let index = 0; index < count; index++) view.setInt16(index * BYTES_PER_SAMPLE, sampleAt(index), true)
  return bytes
}

function sampleAt(index: number): number {
  const place = index % PERIOD
  if (place < PERIOD / 4) return STEP * place
  return STEP * (place < (PERIOD * 3) / 4 ? PERIOD / 2 - place : place - PERIOD)
}
