/** Reads the messages of a request body that is not validated yet: nothing here assumes that it is valid. */
import { isObject, type JsonObject } from '../text/json.ts'

export interface MessageFacts {
  /** The last user message, or '' without one; `[image]`, `[audio]` and `[file]` stand for what is no text. */
  readonly user: string
  /** All system and developer text. */
  readonly system: string
  /** The results of tools that the conversation ends with, on a line each; undefined when it ends otherwise. */
  readonly toolResult: string | undefined
  /** The text of the last message of all. */
  readonly last: string
  readonly userMessageCount: number
}

/** The text of a message's content: the string, or its text parts on a line each. */
export function textOf(content: unknown): string {
  return typeof content === 'string' ? content : partsOf(content, textOfPart)
}

/** A message's content as a person would tell it: its texts, and `[image]` for what is no text, on a line each. */
export function describe(content: unknown): string {
  return typeof content === 'string' ? content : partsOf(content, (part) => textOfPart(part) ?? mediumOf(part))
}

function partsOf(content: unknown, read: (part: JsonObject) => unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (isObject(part) ? read(part) : undefined))
    .filter((text) => typeof text === 'string')
    .join('\n')
}

const textOfPart = ({ text, refusal }: JsonObject): unknown => text ?? refusal

function mediumOf({ type, file }: JsonObject): string | undefined {
  if (type === 'image_url') return '[image]'
  if (type === 'input_audio') return '[audio]'
  if (type !== 'file') return undefined
  return isObject(file) && typeof file.filename === 'string' ? `[file ${file.filename}]` : '[file]'
}

export function readMessages(body: JsonObject): MessageFacts {
  let user: unknown = ''
  let last: JsonObject | undefined
  let userMessageCount = 0
  let system = ''
  let toolResult: string | undefined
  for (const message of Array.isArray(body.messages) ? body.messages : []) {
    if (!isObject(message)) continue
    last = message
    const { role, content } = message
    if (role === 'tool' || role === 'function') {
      const result = textOf(content)
      toolResult = toolResult === undefined ? result : `${toolResult}\n${result}`
      continue
    }
    toolResult = undefined
    if (role === 'user') {
      user = content
      userMessageCount++
    } else if (role === 'system' || role === 'developer') {
      system += (system === '' ? '' : '\n') + textOf(content)
    }
  }
  return { user: describe(user), system, toolResult, last: describe(last?.content), userMessageCount }
}
