/**
 * What a prompt consists of, in the order in which a model reads it: tools, the schema of the answer, messages, and the
 * beginning of the answer.
 *
 * A message is `<|start|>role<|message|>content<|end|>`, and the prompt ends as an answer begins:
 * `<|start|>assistant<|message|>`, so it is a prefix of the prompt of the next turn. For plain text these counts are
 * exact. For the rest the service has published no formula: they fit the recorded calls and are estimates for others.
 */

import { isObject, type JsonObject, objectsIn } from '../../../../lib/text/json.ts'
import { toText } from '../../../../lib/text/to-text.ts'
import { contentText } from '../../../../protocol/request/chat-messages.ts'
import type { Tool } from '../../../../protocol/request/tools.ts'
import { frameTokens } from '../finish-message.ts'
import type { Insert, PromptPart } from './prompt-part.ts'
import { toolParts } from './tool-parts.ts'

/** The part of a chat request that the model reads. */
export interface Prompt {
  readonly messages: readonly JsonObject[]
  readonly tools: readonly Tool[]
  /** The JSON Schema of the answer; undefined without one. */
  readonly schema: unknown
  readonly isReasoning: boolean
}

export function promptParts({ messages, tools, schema, isReasoning }: Prompt): PromptPart[] {
  const parts: PromptPart[] = tools.length === 0 ? [] : toolParts(tools, isReasoning)
  if (isObject(schema)) parts.push({ frame: 0, text: JSON.stringify(schema) })
  let end = 0
  let hasAudio = false
  for (const message of messages) {
    const { role, name, content, tool_calls } = message
    parts.push({ frame: end + START, text: String(role) })
    if (typeof name === 'string') parts.push({ frame: NAME, text: name })
    const frame = isReasoning && role === 'assistant' ? MESSAGE + CHANNEL : MESSAGE
    const isTurn = role === 'user' || role === 'tool' || role === 'function'
    const inserts = Array.isArray(content) ? insertsIn(content) : NO_INSERTS
    const isFirstAudio: boolean = !hasAudio && inserts.some(isAudio)
    hasAudio ||= isFirstAudio
    parts.push({ frame: isFirstAudio ? frame + AUDIO_FRAME : frame, text: contentText(content), inserts, isTurn })
    if (Array.isArray(tool_calls)) addMadeCalls(objectsIn(tool_calls), parts)
    end = END
  }
  parts.push({ frame: end + START, text: 'assistant' })
  // A reasoning model chooses a channel first.
  if (!isReasoning) parts.push({ frame: MESSAGE, text: '' })
  return parts
}

const START = 1
const NAME = 1
const MESSAGE = 1
const END = 1
const CHANNEL = 2
const MADE_CALLS = 2
const AUDIO_FRAME = 4
const NO_INSERTS: readonly Insert[] = []

const isAudio = ({ kind }: Insert): boolean => kind === 'audio'

/** The calls of an assistant message: as they were counted in its answer, and two tokens for the message. */
function addMadeCalls(calls: readonly JsonObject[], parts: PromptPart[]): void {
  parts.push({ frame: MADE_CALLS, text: '' })
  for (const call of calls) {
    const called = call.function ?? call.custom
    if (!isObject(called)) continue
    const { name, arguments: given, input } = called
    parts.push(
      { frame: frameTokens(calls.length), text: toText(name) },
      { frame: 0, text: toText(given ?? input ?? '') },
    )
  }
}

/** What lies between the texts of a content in parts, which `contentText` joins with line breaks. */
function insertsIn(content: readonly unknown[]): readonly Insert[] {
  const inserts: Insert[] = []
  let at = 0
  let isFirst = true
  for (const part of objectsIn(content)) {
    const { type, text, refusal, prompt_cache_breakpoint: breakpoint } = part
    const said = text ?? refusal
    if (typeof said === 'string') {
      at += isFirst ? said.length : said.length + 1
      isFirst = false
    } else if (type === 'image_url') {
      inserts.push({ at, kind: 'image', tokens: imageTokens(part.image_url), identity: part.image_url })
    } else if (type === 'input_audio') {
      inserts.push({ at, kind: 'audio', tokens: audioTokens(part.input_audio), identity: part.input_audio })
    } else inserts.push({ at, kind: 'other', tokens: 0, identity: part })
    if (isObject(breakpoint)) inserts.push({ at, kind: 'breakpoint', tokens: 0, identity: breakpoint.ttl })
  }
  return inserts
}

const LOW_DETAIL = 85
// Assumes an image of 1024 x 1024: 170 for each square of 512 pixels, and 85 for the whole.
const HIGH_DETAIL = 765

const imageTokens = (image: unknown): number => (isObject(image) && image.detail === 'low' ? LOW_DETAIL : HIGH_DETAIL)

const AUDIO_TOKENS_PER_SECOND = 10
// 16-bit samples at 24 kHz, and mp3 at 64 kbit/s.
const BYTES_PER_SECOND: Readonly<Record<string, number>> = { wav: 48_000, mp3: 8000 }

function audioTokens(sound: unknown): number {
  if (!isObject(sound) || typeof sound.data !== 'string') return 0
  const bytes = (sound.data.length * 3) / 4
  return Math.ceil((bytes / (BYTES_PER_SECOND[toText(sound.format)] ?? 48_000)) * AUDIO_TOKENS_PER_SECOND)
}
