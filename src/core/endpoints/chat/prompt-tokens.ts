/**
 * Counts the tokens of a prompt: its messages, tools, response format, images and audio.
 *
 * Counts of plain text are exact. For the rest the service has published no formula: these fit the recorded calls and
 * are estimates for others.
 */

import type { CallContext } from '../../call/call-context.ts'
import { contentText } from '../../request/messages.ts'
import type { Tool } from '../../request/tools.ts'
import { isObject, type JsonObject, objectsIn } from '../../text/json.ts'
import { toText } from '../../text/to-text.ts'
import type { Tokenizer } from '../../tokenizer/tokenizer.ts'
import type { Steps } from '../../work/steps.ts'
import { countText, countTexts, madeCallTokens } from './call-tokens.ts'
import type { ChatRequest } from './request.ts'

export interface PromptTokens {
  readonly tokens: number
  /** The part of them that is audio. */
  readonly audio: number
  /** The part of them that is images. */
  readonly image: number
}

export function promptTokens(context: CallContext, { messages, format }: ChatRequest): PromptTokens {
  const isReasoning = context.modelRule?.reasoning === true
  const { tools, tokenizer, encoding } = context
  return context.compute('prompt', `${encoding} ${isReasoning}`, () =>
    countRequest(messages, tools.declared, format.schema, { tokenizer, isReasoning }),
  )
}

/** How a prompt is counted. */
interface Counting {
  readonly tokenizer: Tokenizer
  readonly isReasoning: boolean
}

function* countRequest(
  messages: readonly JsonObject[],
  tools: readonly Tool[],
  schema: unknown,
  counting: Counting,
): Steps<PromptTokens> {
  const { tokenizer } = counting
  let tokens = yield* countPrompt(messages, counting)
  let audio = 0
  let image = 0
  for (const { content, tool_calls } of messages) {
    if (Array.isArray(tool_calls)) tokens += yield* madeCallTokens(objectsIn(tool_calls), tokenizer)
    for (const part of objectsIn(content)) {
      if (part.type === 'image_url') image += imageTokens(part.image_url)
      if (part.type === 'input_audio') audio += audioTokens(part.input_audio)
    }
  }
  tokens += image
  if (audio > 0) tokens += audio + AUDIO_FRAME
  if (tools.length > 0) tokens += yield* toolTokens(tools, counting)
  if (isObject(schema)) tokens += yield* countText(JSON.stringify(schema), tokenizer)
  return { tokens, audio, image }
}

const LOW_DETAIL = 85
// Assumes an image of 1024 x 1024: 170 for each square of 512 pixels, and 85 for the whole.
const HIGH_DETAIL = 765

const imageTokens = (image: unknown): number => (isObject(image) && image.detail === 'low' ? LOW_DETAIL : HIGH_DETAIL)

const AUDIO_FRAME = 4
const AUDIO_TOKENS_PER_SECOND = 10
// 16-bit samples at 24 kHz, and mp3 at 64 kbit/s.
const BYTES_PER_SECOND: Readonly<Record<string, number>> = { wav: 48_000, mp3: 8000 }

function audioTokens(sound: unknown): number {
  if (!isObject(sound) || typeof sound.data !== 'string') return 0
  const bytes = (sound.data.length * 3) / 4
  return Math.ceil((bytes / (BYTES_PER_SECOND[toText(sound.format)] ?? 48_000)) * AUDIO_TOKENS_PER_SECOND)
}

/**
 * Tools as the service writes them into the prompt. The older models by the formula of the OpenAI cookbook ("How to
 * count tokens with tiktoken"), exact on the recorded calls; reasoning models as TypeScript with a fixed preamble, as
 * the format "harmony" of the open models has it, within one token of the recorded calls.
 */
function* toolTokens(tools: readonly Tool[], { tokenizer, isReasoning }: Counting): Steps<number> {
  if (isReasoning) return HARMONY_PREAMBLE + (yield* countText(inTypeScript(tools), tokenizer))
  let tokens = CLOSING
  for (const tool of tools) tokens += yield* cookbookTokens(tool, tokenizer)
  return tokens
}

const CLOSING = 12
const FUNCTION = 7
const PROPERTIES = 3
const PROPERTY = 3
const ENUM = -3
const ENUM_VALUE = 3

function* cookbookTokens({ name, description, schema }: Tool, tokenizer: Tokenizer): Steps<number> {
  const properties = propertiesOf(schema)
  const texts = [`${name}:${withoutStop(description)}`]
  let tokens = FUNCTION
  if (properties.length > 0) tokens += PROPERTIES
  for (const [key, property] of properties) {
    tokens += PROPERTY
    texts.push(`${key}:${toText(property.type)}:${withoutStop(property.description)}`)
    if (!Array.isArray(property.enum)) continue
    tokens += ENUM + ENUM_VALUE * property.enum.length
    for (const value of property.enum) texts.push(toText(value))
  }
  return tokens + (yield* countTexts(texts, tokenizer))
}

const HARMONY_PREAMBLE = 85

function inTypeScript(tools: readonly Tool[]): string {
  const types = tools.map(({ name, description, schema }) => {
    const required = new Set<unknown>(isObject(schema) && Array.isArray(schema.required) ? schema.required : [])
    const fields = propertiesOf(schema).map(([key, property]) => {
      const comment = typeof property.description === 'string' ? `// ${property.description}\n` : ''
      const values = Array.isArray(property.enum) ? property.enum.map((value) => JSON.stringify(value)) : []
      const type = values.length > 0 ? values.join(' | ') : toText(property.type)
      return `${comment}${key}${required.has(key) ? '' : '?'}: ${type},\n`
    })
    return `// ${description}\ntype ${name} = (_: {\n${fields.join('')}}) => any;\n`
  })
  return `# Tools\n\n## functions\n\nnamespace functions {\n\n${types.join('\n')}\n} // namespace functions`
}

function propertiesOf(schema: unknown): [string, JsonObject][] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
}

const withoutStop = (text: unknown): string => toText(text ?? '').replace(/\.$/, '')

/**
 * Tokens of a prompt: 3 + for each message 3 + role + content (+ 1 + name), exact on the recorded plain-text calls.
 * Reasoning models wrap messages otherwise: one token less in all, two more for each assistant message (its channel).
 */
export function* countPrompt(messages: readonly JsonObject[], { tokenizer, isReasoning }: Counting): Steps<number> {
  let tokens = isReasoning ? 2 : 3
  const texts: string[] = []
  for (const { role, name, content } of messages) {
    tokens += 3
    texts.push(String(role), contentText(content))
    if (typeof name === 'string') {
      tokens++
      texts.push(name)
    }
    if (isReasoning && role === 'assistant') tokens += 2
  }
  return tokens + (yield* countTexts(texts, tokenizer))
}
