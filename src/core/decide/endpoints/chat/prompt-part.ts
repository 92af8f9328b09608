/** A part of a prompt: a text, the tokens around it, and the images and sounds that lie in it. */

import { isObject, objectsIn, toText } from '../../../lib/text/json.ts'

/** A text of a prompt, and the tokens around it. */
export interface PromptPart {
  /** Tokens before the text that are not text, such as `<|start|>`. */
  readonly frame: number
  /** '' for none. */
  readonly text: string
  /** Things that lie between the characters of the text, in their order. */
  readonly inserts?: readonly PromptInsert[]
  /** True for the content of a message of the user or a tool. */
  readonly isTurn?: boolean
}

/** An image or a sound, something that is compared but not counted, or a breakpoint of the prompt cache. */
export interface PromptInsert {
  /** The number of characters of the text before it. */
  readonly at: number
  readonly kind: 'image' | 'audio' | 'other' | 'breakpoint'
  readonly tokens: number
  /** The value that must be equal for two inserts to be equal; for a breakpoint its `ttl`. */
  readonly identity: unknown
}

const LOW_DETAIL = 85
// Assumes an image of 1024 x 1024: 170 for each square of 512 pixels, and 85 for the whole.
const HIGH_DETAIL = 765

const AUDIO_TOKENS_PER_SECOND = 10
// 16-bit samples at 24 kHz, and mp3 at 64 kbit/s.
const BYTES_PER_SECOND: Readonly<Record<string, number>> = { wav: 48_000, mp3: 8000 }

const NO_INSERTS: readonly PromptInsert[] = []

/** Everything between the texts of a content in parts, which `contentText` joins with line breaks. */
export function insertsIn(content: unknown): readonly PromptInsert[] {
  if (!Array.isArray(content)) return NO_INSERTS
  const inserts: PromptInsert[] = []
  let at = 0
  let isFirst = true
  for (const part of objectsIn(content)) {
    const { type, text, refusal, prompt_cache_breakpoint: breakpoint } = part
    const said = text ?? refusal
    if (typeof said === 'string') {
      at += isFirst ? said.length : said.length + 1
      isFirst = false
    } else if (type === 'image_url') {
      const { image_url: identity } = part
      const isLow = isObject(identity) && identity.detail === 'low'
      inserts.push({ at, kind: 'image', tokens: isLow ? LOW_DETAIL : HIGH_DETAIL, identity })
    } else if (type === 'input_audio') {
      inserts.push({ at, kind: 'audio', tokens: audioTokens(part.input_audio), identity: part.input_audio })
    } else inserts.push({ at, kind: 'other', tokens: 0, identity: part })
    if (isObject(breakpoint)) inserts.push({ at, kind: 'breakpoint', tokens: 0, identity: breakpoint.ttl })
  }
  return inserts
}

function audioTokens(sound: unknown): number {
  if (!isObject(sound) || typeof sound.data !== 'string') return 0
  const bytes = (sound.data.length * 3) / 4
  return Math.ceil((bytes / (BYTES_PER_SECOND[toText(sound.format)] ?? 48_000)) * AUDIO_TOKENS_PER_SECOND)
}
