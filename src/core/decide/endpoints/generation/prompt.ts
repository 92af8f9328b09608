/**
 * The prompt of a chat and its tokens. Its parts in the order in which a model reads them: tools, the schema of the answer,
 * messages, and the beginning of the answer.
 *
 * A message is `<|start|>role<|message|>content<|end|>`, and the prompt ends as an answer begins:
 * `<|start|>assistant<|message|>`, so it is a prefix of the prompt of the next turn:
 *
 *     [{ role: 'user', content: 'Hi' }]
 *     -> user (1 token and START before it), Hi (1, and MESSAGE), assistant (1, and END and START), and MESSAGE: 8 tokens
 *
 * For plain text these counts are exact. For the rest the service has published no formula: they fit the recorded calls and
 * are estimates for others.
 */

import { isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { Tool, Turn } from '../../../protocol/turn/turn.ts'
import { contentText } from '../../../protocol/turn/turn-texts.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { CallRequest } from '../../call/call-request.ts'
import type { CallRules } from '../../call/call-rules.ts'
import { storedCounts } from '../../call/stored-conversation.ts'
import { type ToolChoice, toolParts } from './declare-tools.ts'
import { audioTokens, type ImageRule, imageTokens, readFile } from './media-tokens.ts'

/** The part of a chat request that the model reads. */
export interface Prompt {
  readonly messages: readonly JsonObject[]
  readonly tools: readonly Tool[]
  /** The JSON Schema of the answer; undefined without one. */
  readonly schema: unknown
  readonly isReasoning: boolean
  /** The tokens of an image; undefined for those of gpt-4o. */
  readonly images?: ImageRule | undefined
  /** The choice of tools of a responses call, where tools and schemas count otherwise; undefined in a chat. */
  readonly choice?: ToolChoice | undefined
}

export interface PromptTokens {
  readonly tokens: number
  /** The part of them that is audio. */
  readonly audio: number
}

/** The prompt of a call. */
export function promptOf({ rules, route, request }: CallContext, { messages, tools, format }: Turn): Prompt {
  const { declared, isNamed, isParallel } = tools
  // A list of allowed tools that demands a call counts nothing.
  const isForced = tools.isForced && (isNamed || request.body.tool_choice === 'required')
  return {
    messages,
    tools: declared,
    schema: format.schema,
    isReasoning: rules.modelRule?.reasoning === true,
    images: rules.modelRule?.images,
    choice: route.readsItems ? { isForced, isParallel } : undefined,
  }
}

/** The most tokens of a prompt that the model takes. */
export const inputLimit = ({ modelRule }: CallRules): number =>
  modelRule?.inputTokens ?? modelRule?.contextTokens ?? Number.POSITIVE_INFINITY

/** The turn of a call and the tokens of its prompt. `truncation: auto` drops the oldest messages that do not fit. */
export function fitTurn(context: CallContext): { readonly turn: Turn; readonly prompt: PromptTokens } {
  const { route, request, rules } = context
  const { turn } = request
  const count = (): PromptTokens => {
    const whole = promptOf(context, turn)
    const settings = `${request.encoding} ${settingsOf(whole)}`
    return request.memo('prompt', settings, () => countPrompt(whole, request.tokenizer, settings))
  }
  const hasStored = route.readsItems === true && request.conversation !== undefined
  // Calls with the same body share the result, unless it depends on stored messages.
  const prompt = hasStored ? count() : request.parsed.keep('prompt', rules.modelRule, count)
  if (route.readsItems !== true || request.body.truncation !== 'auto') return { turn, prompt }
  const limit = inputLimit(rules)
  if (prompt.tokens <= limit) return { turn, prompt }
  const { kept, tokens } = request.memo('truncation', String(limit), () =>
    dropOldest(request, promptOf(context, turn), prompt.tokens, limit),
  )
  const messages = kept.map((index) => turn.messages[index]!)
  return { turn: { ...turn, messages }, prompt: { ...prompt, tokens } }
}

/**
 * The messages that are left, by their numbers, and the tokens of the prompt with them. Instructions stay, and so does the last
 * message.
 * @param promptTokens the tokens of the whole prompt.
 */
function dropOldest({ turn, tokenizer }: CallRequest, prompt: Prompt, promptTokens: number, limit: number) {
  const last = turn.messages.length - 1
  const kept: number[] = []
  let tokens = promptTokens
  let isDropping = true
  for (const [index, message] of turn.messages.entries()) {
    const { role } = message
    const isFixed = role === 'system' || role === 'developer' || index === last
    // The result of a call that is dropped goes with it.
    if (!isFixed) isDropping = tokens > limit || (isDropping && role === 'tool')
    if (isFixed || !isDropping) kept.push(index)
    else tokens -= countMessage(message, prompt, tokenizer).tokens
  }
  return { kept, tokens }
}

/** A text for the settings of the model that the tokens of a prompt depend on. */
export const settingsOf = ({ isReasoning, images, choice }: Prompt): string =>
  JSON.stringify([isReasoning, images, choice])

/**
 * Counts a prompt. Keeps the counts of messages of stored responses, so that a long chain is not counted again by each call.
 * @param settings a text for the tokenizer and the settings of the model: a kept count is used again for the same ones.
 */
export function countPrompt(prompt: Prompt, tokenizer: Tokenizer, settings = ''): PromptTokens {
  let { tokens, audio } = countParts(promptParts({ ...prompt, messages: [] }), tokenizer)
  for (const message of prompt.messages) {
    const known = storedCounts.get(message)
    const counted = known?.settings === settings ? known : { settings, ...countMessage(message, prompt, tokenizer) }
    if (counted !== known && storedCounts.has(message)) storedCounts.set(message, counted)
    tokens += counted.tokens
    audio += counted.audio
  }
  return { tokens, audio }
}

/** The tokens that a message adds to a prompt. */
function countMessage(message: JsonObject, prompt: Prompt, tokenizer: Tokenizer): PromptTokens {
  const { tokens, audio } = countParts(messageParts(message, prompt), tokenizer)
  return { tokens: tokens + END, audio }
}

function countParts(parts: readonly PromptPart[], tokenizer: Tokenizer): PromptTokens {
  let tokens = 0
  let audio = 0
  for (const { frame, text, inserts = [] } of parts) {
    tokens += text === '' ? frame : frame + tokenizer.count(text)
    for (const { kind, tokens: own } of inserts) {
      if (kind === 'audio') audio += own
      tokens += own
    }
  }
  return { tokens, audio }
}

/** The texts of a prompt with the tokens around them, in the order in which the model reads them. */
export function promptParts(prompt: Prompt): PromptPart[] {
  const { messages, tools, schema, isReasoning, choice } = prompt
  const parts: PromptPart[] = []
  if (tools.length > 0) {
    // Two prompts are equal only if the whole declarations are, of which the texts are the outline.
    parts.push({ frame: 0, text: '', inserts: [{ at: 0, kind: 'other', tokens: 0, identity: tools }] })
    for (const part of toolParts(tools, isReasoning, choice)) parts.push(part)
  }
  if (isObject(schema))
    parts.push({ frame: choice === undefined ? 0 : SCHEMA_IN_RESPONSES, text: JSON.stringify(schema) })
  let end = 0
  for (const message of messages) {
    for (const part of messageParts(message, prompt, end)) parts.push(part)
    end = END
  }
  parts.push({ frame: end + START, text: 'assistant' })
  // A reasoning model chooses a channel first.
  if (!isReasoning) parts.push({ frame: MESSAGE, text: '' })
  return parts
}

/** @param end the tokens that end the message before it. */
function messageParts(message: JsonObject, { isReasoning, images }: Prompt, end = 0): PromptPart[] {
  const { role, name, content, tool_calls } = message
  const parts: PromptPart[] = [{ frame: end + START, text: String(role) }]
  if (typeof name === 'string') parts.push({ frame: NAME, text: name })
  const isTurn = role === 'user' || role === 'tool' || role === 'function'
  const inserts = Array.isArray(content) ? insertsIn(content, images) : []
  const sounds = inserts.filter(({ kind }) => kind === 'audio').length
  const frame = MESSAGE + (isReasoning && role === 'assistant' ? CHANNEL : 0) + AUDIO_FRAME * sounds
  for (const { text = '' } of inserts) if (text !== '') parts.push({ frame: 0, text })
  parts.push({ frame, text: contentText(content), inserts, isTurn })
  if (!Array.isArray(tool_calls)) return parts
  // The calls of an assistant message count as in its answer, and two tokens for the message.
  parts.push({ frame: MADE_CALLS, text: '' })
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
  return parts
}

/** The tokens of a call besides its name and arguments. Parallel calls have a wrapper. As recorded answers count. */
export const frameTokens = (calls: number): number => (calls > 1 ? 14 : 7)

// Tokens that are not text: `<|start|>`, a name, `<|message|>`, `<|end|>`, the channel of a reasoning model, and others as recorded.
const START = 1
const NAME = 1
const MESSAGE = 1
const END = 1
const CHANNEL = 2
const MADE_CALLS = 2
const AUDIO_FRAME = 4
/** A schema counts less than the tokens of its JSON: by 1 to 6 in recorded calls. */
const SCHEMA_IN_RESPONSES = -4

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

/** An image, a sound, a file or something that is compared but not counted, or a breakpoint of the prompt cache. */
interface PromptInsert {
  /** The number of characters of the text before it. */
  readonly at: number
  readonly kind: 'image' | 'audio' | 'other' | 'breakpoint'
  readonly tokens: number
  /** The text of a file, which counts too. */
  readonly text?: string
  /** The value that must be equal for two inserts to be equal; for a breakpoint its `ttl`. */
  readonly identity: unknown
}

/** Everything between the texts of a content in parts, which `contentText` joins with line breaks. */
function insertsIn(content: readonly unknown[], images: ImageRule | undefined): readonly PromptInsert[] {
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
      inserts.push({ at, kind: 'image', tokens: imageTokens(identity, images), identity })
    } else if (type === 'input_audio') {
      inserts.push({ at, kind: 'audio', tokens: audioTokens(part.input_audio), identity: part.input_audio })
    } else inserts.push({ at, kind: 'other', ...readFile(part.file), identity: part })
    if (isObject(breakpoint)) inserts.push({ at, kind: 'breakpoint', tokens: 0, identity: breakpoint.ttl })
  }
  return inserts
}
