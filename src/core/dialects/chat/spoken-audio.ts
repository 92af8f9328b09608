/**
 * Writes a spoken answer: a file in the format asked for, and the text as its transcript.
 *
 *     "audio":{"id":"audio_...","data":"UklGRi...","expires_at":1735693200,"transcript":"Hello"}
 */

import { AUDIO_FORMATS } from '../../lib/audio/audio-formats.ts'
import { base64 } from '../../lib/text/bytes.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import { jsonOfText, type Part } from '../../protocol/plan/text-parts.ts'
import type { Audio } from '../../protocol/turn/reply.ts'

/** Seconds for which the service keeps audio that later messages refer to. */
export const SECONDS_KEPT = 3600

/** The `content`, `refusal` and `audio` of a whole message. */
export const audioParts = (audio: Audio, transcript: string, created: number): readonly Part[] => [
  `"content":null,"refusal":null,"audio":{"id":"${audio.id}","data":"${encodedFile(audio)}",` +
    `"expires_at":${created + SECONDS_KEPT},"transcript":"`,
  jsonOfText(transcript),
  '"}',
]

/** Takes a millisecond. All choices share the file. */
const encodedFile = ({ format, tokens }: Audio): string => base64(AUDIO_FORMATS[format](tokens))

/** The data in pieces of one audio token. Clients decode each on its own, so none ends inside a group of base64. */
export function dataPieces(audio: Audio): readonly Piece[] {
  const file = encodedFile(audio)
  const size = file.length / audio.tokens
  return Array.from({ length: audio.tokens }, (_, index) => ({
    text: file.slice(index * size, (index + 1) * size),
    tokens: 1,
  }))
}
