/** The length of a spoken answer. */

import type { Audio, FinishedMessage } from '../../../protocol/turn/reply.ts'
import type { Turn } from '../../../protocol/turn/turn.ts'
import type { CallContext } from '../../call/call-context.ts'

/** About the pace of speech. */
const AUDIO_TOKENS_PER_TOKEN = 6
/** Two seconds: the audio is there to be decoded and played, not to be understood. */
const MAX_AUDIO_TOKENS = 40
/** The audio of a message; undefined when the request asks for none, and for calls and refusals, which are not spoken. */
export function speak(
  { message, tokens }: FinishedMessage,
  context: CallContext,
  { audioFormat, maxTokens }: Turn,
): Audio | undefined {
  if (audioFormat === undefined || message.type !== 'text') return undefined
  const whole = Math.min(Math.max(1, tokens * AUDIO_TOKENS_PER_TOKEN), MAX_AUDIO_TOKENS)
  const length = Math.min(whole, maxTokens - tokens)
  const id = `audio_${context.random('audio').hex(32)}`
  return { id, format: audioFormat, tokens: length, isCut: length < whole }
}
