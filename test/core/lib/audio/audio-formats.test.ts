/** Spoken answers are valid files of their format, and as long as their audio tokens say. */
import { expect, test } from 'vitest'
import { AUDIO_FORMATS, type AudioFormat } from '../../../../src/core/lib/audio/audio-formats.ts'
import { decoders } from './decode.ts'

const FORMATS = Object.keys(AUDIO_FORMATS) as AudioFormat[]
const decode = (format: AudioFormat, tokens: number) => decoders[format]!(Buffer.from(AUDIO_FORMATS[format](tokens)))

test.each(FORMATS.flatMap((format) => [1, 7, 40].map((tokens) => [format, tokens] as const)))(
  'a %s of %i audio tokens is a valid file of as many times 50 ms, rounded up to whole frames',
  (format, tokens) => {
    const { sampleRate, channels, length } = decode(format, tokens)
    expect(channels).toBe(1)
    const samples = (tokens * sampleRate) / 20
    expect(length).toBeGreaterThanOrEqual(samples)
    expect(length).toBeLessThan(samples + sampleRate / 20)
  },
)

test.each(['wav', 'pcm16'] as const)('a %s holds the tone: quiet, without a click, and not silent', (format) => {
  const { samples = [], length } = decode(format, 2)
  expect(length).toBe(2400)
  expect(Math.max(...samples)).toBe(3000)
  expect(Math.min(...samples)).toBe(-3000)
  const steps = samples.slice(1).map((sample, index) => Math.abs(sample - samples[index]!))
  expect(Math.max(...steps)).toBe(200)
  expect(decode(format, 1).samples).toEqual(samples.slice(0, 1200))
})

test.each(FORMATS)('a %s of no audio tokens has no sound', (format) => {
  expect(decode(format, 0).length).toBe(0)
})
