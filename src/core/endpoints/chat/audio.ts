/** The spoken answer to a chat that asks for audio: a file in the format asked for, and the text as its transcript. */

import { base64 } from '../../audio/bytes.ts'
import { AUDIO_FORMATS, type AudioFormat } from '../../audio/formats.ts'
import type { CallContext } from '../../call/call-context.ts'
import { jsonOfText, type Part } from '../../plan/text-parts.ts'
import type { Piece } from '../../tokenizer/tokenizer.ts'
import type { FinishedMessage } from './finish-message.ts'
import type { ChatRequest } from './request.ts'

export interface Audio {
  readonly id: string
  readonly format: AudioFormat
  /** Its length in audio tokens of 50 ms. */
  readonly tokens: number
  /** Whether `max_completion_tokens` cut it. */
  readonly isCut: boolean
}

/** About the pace of speech. */
const AUDIO_TOKENS_PER_TOKEN = 6
/** Two seconds: the audio is there to be decoded and played, not to be understood. */
const MAX_AUDIO_TOKENS = 40
/** How long the service keeps audio that later messages refer to. */
const SECONDS_KEPT = 3600

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
export const audioParts = ({ id, format, tokens }: Audio, transcript: string, created: number): readonly Part[] => [
  `"content":null,"refusal":null,"audio":{"id":"${id}","data":"${base64(AUDIO_FORMATS[format](tokens))}",` +
    `"expires_at":${expiresAt(created)},"transcript":"`,
  jsonOfText(transcript),
  '"}',
]

/** The data in pieces of one audio token. Clients decode each on its own, so none ends within three bytes. */
export function dataPieces({ format, tokens }: Audio): readonly Piece[] {
  const data = AUDIO_FORMATS[format](tokens)
  const size = data.length / tokens
  return Array.from({ length: tokens }, (_, index) => ({
    text: base64(data.subarray(index * size, (index + 1) * size)),
    tokens: 1,
  }))
}

export const expiresAt = (created: number): number => created + SECONDS_KEPT
