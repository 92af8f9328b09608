/** The spoken answer to a chat that asks for audio: a file in the format asked for, and the text as its transcript. */

import { AUDIO_FORMATS, type AudioFormat } from '../../../lib/audio/audio-formats.ts'
import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { base64 } from '../../../lib/text/bytes.ts'
import type { Piece } from '../../../lib/tokenizer/tokenizer.ts'
import { jsonOfText, type Part } from '../../../protocol/plan/text-parts.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { FinishedMessage } from './finish-message.ts'
import type { ChatRequest } from './read-chat.ts'

export interface Audio {
  readonly id: string
  readonly format: AudioFormat
  /** Its length in audio tokens of 50 ms. */
  readonly tokens: number
  /** True if `max_completion_tokens` cut it. */
  readonly isCut: boolean
}

/** About the pace of speech. */
const AUDIO_TOKENS_PER_TOKEN = 6
/** Two seconds: the audio is there to be decoded and played, not to be understood. */
const MAX_AUDIO_TOKENS = 40
/** Seconds for which the service keeps audio that later messages refer to. */
export const SECONDS_KEPT = 3600

/** The audio of a message; undefined when the request asks for none, and for calls and refusals, which are not spoken. */
export function audioOf(
  { message, tokens }: FinishedMessage,
  context: CallContext,
  { audioFormat, maxTokens }: ChatRequest,
): Audio | undefined {
  if (audioFormat === undefined || message.type !== 'text') return undefined
  const whole = Math.min(Math.max(1, tokens * AUDIO_TOKENS_PER_TOKEN), MAX_AUDIO_TOKENS)
  const length = Math.min(whole, maxTokens - tokens)
  const id = `audio_${context.random('audio').hex(32)}`
  return { id, format: audioFormat, tokens: length, isCut: length < whole }
}

/** The `content`, `refusal` and `audio` of a whole message. */
export const audioParts = (audio: Audio, transcript: string, created: number): readonly Part[] => [
  `"content":null,"refusal":null,"audio":{"id":"${audio.id}","data":"${encodedFile(audio)}",` +
    `"expires_at":${created + SECONDS_KEPT},"transcript":"`,
  jsonOfText(transcript),
  '"}',
]

// Encoding takes a millisecond, and an answer may have 128 choices. There are 6 formats of 40 lengths: 10 MB at most.
const files = new MemoCache<string>(6 * MAX_AUDIO_TOKENS, 10)

const encodedFile = ({ format, tokens }: Audio): string =>
  files.of(`${format} ${tokens}`, () => base64(AUDIO_FORMATS[format](tokens)))

/** The data in pieces of one audio token. Clients decode each on its own, so none ends within three bytes. */
export function dataPieces(audio: Audio): readonly Piece[] {
  const file = encodedFile(audio)
  const size = file.length / audio.tokens
  return Array.from({ length: audio.tokens }, (_, index) => ({
    text: file.slice(index * size, (index + 1) * size),
    tokens: 1,
  }))
}
