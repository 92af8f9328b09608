/** The tokens of images by size and model, of audio by length and of PDFs by page. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImageRule, imageTokens } from '../../../../../src/core/decide/endpoints/generation/media-tokens.ts'
import { mockWith } from '../../../../support/core.ts'
import { dataUrl, pngUrl } from '../../../../support/image-files.ts'

const TILES = { base: 85, tile: 170 }
const PATCHES = { patches: 1, most: 1536 }
const tokensOf = (width: number, height: number, rule: ImageRule, detail?: string): number =>
  imageTokens({ url: pngUrl(width, height), detail }, rule)

describe('as the contract has it (11.9)', () => {
  test.each([
    ['gpt-4o, 640 x 480: two tiles', TILES, 640, 480, 85 + 2 * 170],
    ['gpt-4o, 3008 x 2000: six tiles', TILES, 3008, 2000, 85 + 6 * 170],
    ['gpt-4o, 1024 x 1024: four tiles', TILES, 1024, 1024, 765],
    ['gpt-4o, 16 x 16 is not enlarged', TILES, 16, 16, 255],
    ['gpt-4o, 4096 x 2048: 1536 x 768', TILES, 4096, 2048, 85 + 6 * 170],
    ['gpt-4o-mini, 640 x 480', { base: 2833, tile: 5667 }, 640, 480, 14_167],
    ['gpt-5, 640 x 480: 350, recorded as 349', { base: 70, tile: 140 }, 640, 480, 350],
    ['o1, o3, 640 x 480', { base: 75, tile: 150 }, 640, 480, 375],
    ['1024 patches', PATCHES, 1024, 1024, 1024],
    ['2560 x 1669: 48 x 31 patches', PATCHES, 2560, 1669, 1488],
    ['gpt-5-nano, 2560 x 1669', { patches: 1.5, most: 1536 }, 2560, 1669, 2232],
    ['gpt-5-nano, 16 x 16', { patches: 1.5, most: 1536 }, 16, 16, 2],
    ['gpt-5-mini, 640 x 480', { patches: 1.2, most: 1536 }, 640, 480, 360],
    ['gpt-4.1-mini, 640 x 480: 486.00000000000006', { patches: 1.62, plus: 1, most: 1536 }, 640, 480, 488],
    ['gpt-4.1-nano, 640 x 480', { patches: 2.46, plus: 1, most: 1536 }, 640, 480, 739],
    ['gpt-5.6 shrinks nothing', { patches: 1.2 }, 2560, 1669, Math.ceil(1.2 * 80 * 53)],
  ])('%s', (_, rule, width, height, tokens) => expect(tokensOf(width, height, rule)).toBe(tokens))

  test('low is the base of tiles alone, and changes nothing for patches', () => {
    expect(tokensOf(3008, 2000, TILES, 'low')).toBe(85)
    expect(tokensOf(640, 480, PATCHES, 'low')).toBe(tokensOf(640, 480, PATCHES, 'high'))
  })

  test.each(['https://example.com/cat.png', 'data:image/png;base64,eA==', undefined])('%s is 1024 x 1024', (url) => {
    expect(imageTokens({ url }, TILES)).toBe(765)
    expect(imageTokens({ url }, PATCHES)).toBe(1024)
  })
})

describe('laws', () => {
  const side = fc.integer({ min: 1, max: 16_000 })

  test('a shrunken image has one to eight tiles, and at most as many patches as the model takes', () => {
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 3000 }), (width, height, most) => {
        const tiles = tokensOf(width, height, { base: 0, tile: 1 })
        expect([tiles >= 1, tiles <= 8]).toEqual([true, true])
        const patches = tokensOf(width, height, { patches: 1, most })
        expect([patches >= 1, patches <= most]).toEqual([true, true])
      }),
    )
  })

  test('a larger image costs no less, as long as nothing is shrunk', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(700), fc.nat(1000), fc.nat(60), (width, height, more, higher) => {
        for (const rule of [TILES, { patches: 1.62, plus: 1 }])
          expect(tokensOf(1 + width + more, 1 + height + higher, rule)).toBeGreaterThanOrEqual(
            tokensOf(1 + width, 1 + height, rule),
          )
      }),
    )
  })

  test('width and height may change places', () => {
    fc.assert(
      fc.property(side, side, fc.constantFrom(TILES, PATCHES), (width, height, rule) => {
        expect(tokensOf(width, height, rule)).toBe(tokensOf(height, width, rule))
      }),
    )
  })
})

describe('in a prompt', () => {
  const TEXT = { type: 'text', text: 'What is this?' }
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
  const usage = (content: readonly object[], model: object = {}): any =>
    mockWith({ models: { 'echo-1': model } }).json({ body: { model: 'echo-1', messages: [{ role: 'user', content }] } })
      .usage
  const added = (parts: readonly object[], model?: object): number =>
    usage([TEXT, ...parts], model).prompt_tokens - usage([TEXT], model).prompt_tokens
  const image = (url: string, detail?: string) => ({ type: 'image_url', image_url: { url, detail } })

  test('an image counts by the model, and as for gpt-4o where that says nothing', () => {
    const url = pngUrl(640, 480)
    expect(added([image(url)])).toBe(425)
    expect(added([image(url), image(url, 'low')])).toBe(425 + 85)
    expect(added([image(url)], { images: { base: 2833, tile: 5667 } })).toBe(14_167)
    expect(added([image(url)], { images: { patches: 1.62, plus: 1, most: 1536 } })).toBe(488)
    expect(added([image('https://example.com/cat.png')])).toBe(765)
  })

  /** A WAV of so many bytes of sound. */
  const wav = (rate: number, bytes: number): object => {
    const header = Buffer.alloc(44)
    header.write('RIFF', 0)
    header.writeUInt32LE(rate, 28)
    const data = Buffer.concat([header, Buffer.alloc(bytes)]).toString('base64')
    return { type: 'input_audio', input_audio: { data, format: 'wav' } }
  }

  test.each([
    ['0.135 s at 8,000 bytes a second, as recorded', wav(8000, 1080), 1],
    ['1 s at 48,000 bytes a second', wav(48_000, 48_000), 10],
    ['1.99 s at 88,200 bytes a second', wav(88_200, 175_518), 19],
    ['a header without a rate', wav(0, 48_000), 10],
    ['no header', { type: 'input_audio', input_audio: { data: 'A'.repeat(64_000), format: 'wav' } }, 10],
    ['mp3 at 64 kbit/s', { type: 'input_audio', input_audio: { data: 'A'.repeat(64_000), format: 'mp3' } }, 60],
  ])('audio of %s', (_, sound, tokens) => {
    expect(usage([TEXT, sound]).prompt_tokens_details.audio_tokens).toBe(tokens)
    // Four tokens of text for each part.
    expect(added([sound])).toBe(tokens + 4)
    expect(added([sound, sound])).toBe(2 * (tokens + 4))
  })

  const pdf = (pages: number, text: string): object => {
    const page = '<< /Type /Page /Parent 2 0 R >>\n'.repeat(pages)
    const shown = `BT /F1 24 Tf 100 700 Td (${text}) Tj ET`
    const file = Buffer.from(`%PDF-1.4\n<< /Type /Pages /Count ${pages} >>\n${page}stream\n${shown}\nendstream\n`)
    return { type: 'file', file: { filename: 'a.pdf', file_data: dataUrl(file, 'application/pdf') } }
  }

  test('a page of a PDF is 214 tokens, and its text counts', () => {
    // Recorded: 217 to 220 for one page and a line of text.
    expect(added([pdf(1, 'Hello PDF world')])).toBe(217)
    expect(added([pdf(3, 'Hello PDF world')])).toBe(217 + 2 * 214)
  })

  test.each([
    [
      'a PDF without a readable page is one page',
      { file_data: Buffer.from('%PDF-1.7 compressed').toString('base64') },
      214,
    ],
    ['a file that was uploaded before is unknown', { file_id: 'file-x' }, 0],
    ['a file of another type is unknown', { file_data: dataUrl(Buffer.from('hello'), 'text/plain') }, 0],
    ['what is not base64 is unknown', { file_data: 'data:application/pdf;base64,JVBER*' }, 0],
  ])('%s', (_, file, tokens) => expect(added([{ type: 'file', file }])).toBe(tokens))

  test('files of hostile text are read in linear time', () => {
    for (const text of [
      '('.repeat(500_000),
      '()'.repeat(300_000),
      `()${' '.repeat(500_000)}`,
      '/Type '.repeat(100_000),
    ])
      expect(added([pdf(1, text)])).toBeGreaterThan(200)
  })
})
