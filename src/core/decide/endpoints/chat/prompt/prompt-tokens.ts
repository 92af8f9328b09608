/** Counts the tokens of a prompt, and of its images and audio. */

import type { Tokenizer } from '../../../../lib/tokenizer/tokenizer.ts'
import type { CallContext } from '../../../call/call-context.ts'
import type { ChatRequest } from '../request.ts'
import { type Prompt, promptParts } from './prompt-parts.ts'

export interface PromptTokens {
  readonly tokens: number
  /** The part of them that is audio. */
  readonly audio: number
  /** The part of them that is images. */
  readonly image: number
}

/** What the model of a call reads. */
export const promptOf = ({ modelRule, tools }: CallContext, { messages, format }: ChatRequest): Prompt => ({
  messages,
  tools: tools.declared,
  schema: format.schema,
  isReasoning: modelRule?.reasoning === true,
})

export function promptTokens(context: CallContext, request: ChatRequest): PromptTokens {
  const { tokenizer, encoding, modelRule } = context
  const input = modelRule?.reasoning === true ? `${encoding} reasoning` : encoding
  return context.memo('prompt', input, () => countPrompt(promptOf(context, request), tokenizer))
}

export function countPrompt(prompt: Prompt, tokenizer: Tokenizer): PromptTokens {
  let tokens = 0
  let audio = 0
  let image = 0
  for (const { frame, text, inserts } of promptParts(prompt)) {
    tokens += text === '' ? frame : frame + tokenizer.count(text)
    if (inserts === undefined) continue
    for (const { kind, tokens: own } of inserts) {
      if (kind === 'image') image += own
      else if (kind === 'audio') audio += own
    }
  }
  return { tokens: tokens + audio + image, audio, image }
}
