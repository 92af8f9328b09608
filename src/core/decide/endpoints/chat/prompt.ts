/**
 * The prompt of a chat and its tokens. Its parts in the order in which a model reads them: tools, the schema of the answer,
 * messages, and the beginning of the answer.
 *
 * A message is `<|start|>role<|message|>content<|end|>`, and the prompt ends as an answer begins:
 * `<|start|>assistant<|message|>`, so it is a prefix of the prompt of the next turn. For plain text these counts are
 * exact. For the rest the service has published no formula: they fit the recorded calls and are estimates for others.
 */

import { isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import { contentText } from '../../../protocol/request/chat-messages.ts'
import type { Tool } from '../../../protocol/request/tools.ts'
import type { CallContext } from '../../call/call-context.ts'
import { frameTokens } from './finish-message.ts'
import { insertsIn, type PromptPart } from './prompt-part.ts'
import type { ChatRequest } from './read-chat.ts'
import { toolParts } from './tool-prompt.ts'

/** The part of a chat request that the model reads. */
export interface Prompt {
  readonly messages: readonly JsonObject[]
  readonly tools: readonly Tool[]
  /** The JSON Schema of the answer; undefined without one. */
  readonly schema: unknown
  readonly isReasoning: boolean
}

export interface PromptTokens {
  readonly tokens: number
  /** The part of them that is audio. */
  readonly audio: number
  /** The part of them that is images. */
  readonly image: number
}

/** The prompt of a call. */
export const promptOf = ({ modelRule, tools }: CallContext, { messages, format }: ChatRequest): Prompt => ({
  messages,
  tools: tools.declared,
  schema: format.schema,
  isReasoning: modelRule?.reasoning === true,
})

/** The tokens of the prompt of a call. */
export function promptTokens(context: CallContext, request: ChatRequest): PromptTokens {
  const { tokenizer, encoding, modelRule } = context
  const input = modelRule?.reasoning === true ? `${encoding} reasoning` : encoding
  return context.memo('prompt', input, () => countPrompt(promptOf(context, request), tokenizer))
}

export function countPrompt(prompt: Prompt, tokenizer: Tokenizer): PromptTokens {
  let tokens = 0
  let audio = 0
  let image = 0
  for (const { frame, text, inserts = [] } of promptParts(prompt)) {
    tokens += text === '' ? frame : frame + tokenizer.count(text)
    for (const { kind, tokens: own } of inserts) {
      if (kind === 'image') image += own
      else if (kind === 'audio') audio += own
    }
  }
  return { tokens: tokens + audio + image, audio, image }
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
    const inserts = insertsIn(content)
    const isFirstAudio: boolean = !hasAudio && inserts.some(({ kind }) => kind === 'audio')
    hasAudio ||= isFirstAudio
    parts.push({ frame: isFirstAudio ? frame + AUDIO_FRAME : frame, text: contentText(content), inserts, isTurn })
    // The calls of an assistant message count as in its answer, and two tokens for the message.
    if (Array.isArray(tool_calls)) parts.push({ frame: MADE_CALLS, text: '' })
    const calls = objectsIn(tool_calls)
    for (const { function: made, custom } of calls) {
      const called = made ?? custom
      if (!isObject(called)) continue
      const { name, arguments: given, input } = called
      parts.push(
        { frame: frameTokens(calls.length), text: toText(name) },
        { frame: 0, text: toText(given ?? input ?? '') },
      )
    }
    end = END
  }
  parts.push({ frame: end + START, text: 'assistant' })
  // A reasoning model chooses a channel first.
  if (!isReasoning) parts.push({ frame: MESSAGE, text: '' })
  return parts
}

// Tokens that are not text.
const START = 1
const NAME = 1
const MESSAGE = 1
const END = 1
const CHANNEL = 2
const MADE_CALLS = 2
const AUDIO_FRAME = 4
