/** The tokens of the parts of a message besides text: images by their size and the model, audio by its length, PDFs by their pages. */

import { readImageSize } from '../../../lib/images/image-size.ts'
import { readBase64 } from '../../../lib/text/bytes.ts'
import { isObject, toText } from '../../../lib/text/json.ts'
import type { Model } from '../../../scenario/compile/compile.ts'

/** The image arithmetic of a model: tiles of 512 pixels of a smaller image, or patches of 32 pixels. */
export type ImageRule = NonNullable<Model['images']>

/** The rule of a model that has none in the scenario. */
const GPT_4O: ImageRule = { base: 85, tile: 170 }
/** The size assumed for an image that is not downloaded, or not readable. */
const USUAL_SIZE = { width: 1024, height: 1024 }

// In pixels.
const LONG_SIDE = 2048
const SHORT_SIDE = 768
const TILE = 512
const PATCH = 32

/** The tokens of an image: 765 for one of 1024 x 1024 pixels, as gpt-4o counts. @param image the `image_url` of a part. */
export function imageTokens(image: unknown, rule: ImageRule = GPT_4O): number {
  const { url, detail } = isObject(image) ? image : {}
  if ('tile' in rule && detail === 'low') return rule.base
  const { width, height } = (typeof url === 'string' ? readImageSize(url) : undefined) ?? USUAL_SIZE
  if ('tile' in rule) {
    // Made to fit 2048 x 2048, and then to a short side of 768. Multiplies first, so that the sides stay whole.
    const [long, short] = [Math.max(width, height), Math.min(width, height)]
    const [length, breadth] = long > LONG_SIDE ? [LONG_SIDE, (short * LONG_SIDE) / long] : [long, short]
    const [across, down] = breadth > SHORT_SIDE ? [(length * SHORT_SIDE) / breadth, SHORT_SIDE] : [length, breadth]
    return rule.base + rule.tile * Math.ceil(across / TILE) * Math.ceil(down / TILE)
  }
  return Math.ceil(rule.patches * countPatches(width, height, rule.most)) + (rule.plus ?? 0)
}

/** The patches of an image. @param most the patches to which a larger image is shrunk. */
function countPatches(width: number, height: number, most = Number.POSITIVE_INFINITY): number {
  const patches = Math.ceil(width / PATCH) * Math.ceil(height / PATCH)
  if (patches <= most) return patches
  // Shrinks the area to `most` patches, then the sides until one of them is a whole number of patches.
  const root = Math.sqrt((most * PATCH * PATCH) / (width * height))
  const [across, down] = [(width * root) / PATCH, (height * root) / PATCH]
  const factor = Math.min(Math.floor(across) / across, Math.floor(down) / down)
  // Rounded, because 31 may come out as 31.000000000000004.
  const whole = (side: number): number => Math.max(1, Math.ceil(Math.round(side * factor * 1e6) / 1e6))
  return Math.min(most, whole(across) * whole(down))
}

const AUDIO_TOKENS_PER_SECOND = 10
// 16-bit samples at 24 kHz, and mp3 at 64 kbit/s.
const BYTES_PER_SECOND: Readonly<Record<string, number>> = { wav: 48_000, mp3: 8000 }
/** The base64 of a header, the number of its bytes, and the place of the bytes per second in it. */
const WAV_HEADER = /^UklGR[A-Za-z\d+/]{54}/
const WAV_HEADER_BYTES = 44
const BYTE_RATE_AT = 28

/** The tokens of a sound, by its length. @param sound the `input_audio` of a part. */
export function audioTokens(sound: unknown): number {
  if (!isObject(sound) || typeof sound.data !== 'string') return 0
  const { data, format } = sound
  const hasHeader = WAV_HEADER.test(data)
  const rateInHeader = hasHeader ? readBase64(data, 0, BYTE_RATE_AT, 4).getUint32(0, true) : 0
  const bytes = Math.floor((data.length * 3) / 4) - (hasHeader ? WAV_HEADER_BYTES : 0)
  const rate = rateInHeader > 0 ? rateInHeader : (BYTES_PER_SECOND[toText(format)] ?? BYTES_PER_SECOND.wav!)
  return Math.floor((bytes / rate) * AUDIO_TOKENS_PER_SECOND)
}

const TOKENS_PER_PAGE = 214
/** The characters of base64 that are searched for pages. */
const MAX_SEARCHED = 4_000_000
const PDF = /^(?:data:application\/pdf;base64,)?(?=JVBER)/

/**
 * The tokens of a PDF's pages, and its text as far as that is not compressed.
 * @param file the `file` of a part; one that was uploaded before is not known and counts nothing.
 */
export function readFile(file: unknown): { readonly tokens: number; readonly text?: string } {
  const data = isObject(file) && typeof file.file_data === 'string' ? file.file_data : ''
  const [prefix] = PDF.exec(data) ?? []
  if (prefix === undefined) return { tokens: 0 }
  let pdf: string
  try {
    pdf = atob(data.slice(prefix.length, prefix.length + MAX_SEARCHED))
  } catch {
    return { tokens: 0 }
  }
  const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 1
  const text = Array.from(pdf.matchAll(/\(([^()]*)\)\s*Tj/g), ([, shown]) => shown).join('\n')
  return { tokens: TOKENS_PER_PAGE * pages, text }
}
