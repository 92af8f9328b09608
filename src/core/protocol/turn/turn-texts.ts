/**
 * The texts of a turn that conditions, echoes and the journal read. The messages may not have been checked.
 *
 *     [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' },
 *      { role: 'user', content: 'Bye' }]
 *     readMessages -> { system: 'Be brief.', user: 'Bye', last: 'Bye', userMessageCount: 2, toolResult: undefined }
 *     readEarlier  -> { users: ['Hi'], toolResults: [] }
 */

import { isObject, type JsonObject } from '../../lib/text/json.ts'

export type MessageFacts = Readonly<ReturnType<typeof readMessages>>

/** The texts of the last messages. Other media are `[image]`, `[audio]` and `[file]`. */
export function readMessages(messages: readonly unknown[]) {
  /** The content of the last user message. */
  let user: unknown = ''
  /** The last message of all. */
  let last: JsonObject | undefined
  let userMessageCount = 0
  /** All system and developer messages, each on a line. */
  let system = ''
  /** The tool messages at the end, each on a line; undefined when the last message is of another role. */
  let toolResult: string | undefined
  for (const message of messages) {
    if (!isObject(message)) continue
    last = message
    const { role, content } = message
    if (role === 'tool' || role === 'function') {
      const result = contentText(content)
      toolResult = toolResult === undefined ? result : `${toolResult}\n${result}`
      continue
    }
    toolResult = undefined
    if (role === 'user') {
      user = content
      userMessageCount++
    } else if (role === 'system' || role === 'developer') {
      system += (system === '' ? '' : '\n') + contentText(content)
    }
  }
  return { user: describeContent(user), system, toolResult, last: describeContent(last?.content), userMessageCount }
}

export type EarlierTexts = Readonly<ReturnType<typeof readEarlier>>

// Patterns are matched against all of it, so it is bounded as the one text of other conditions is.
const MAX_CHARACTERS = 100_000
const MAX_TEXTS = 1000

/** The texts of earlier turns, the latest first: the messages are read from the last one on. */
export function readEarlier(messages: readonly unknown[]) {
  /** The user messages before the last one. */
  const users: string[] = []
  /** The tool results before those that the chat ends with. Results in a row are one text, each on a line. */
  const toolResults: string[] = []
  /** The number of characters that may still be added. */
  let room = MAX_CHARACTERS
  const add = (texts: string[], text: string): void => {
    texts.push(text.slice(0, room))
    room -= text.length
  }
  /** The tool results read since the last message of another role. */
  let row: string[] = []
  /** True until a message of another role is read: these results are those that the chat ends with. */
  let isAtEnd = true
  const endRow = (): void => {
    if (row.length > 0 && !isAtEnd) add(toolResults, row.reverse().join('\n'))
    row = []
    isAtEnd = false
  }
  let hasSeenUser = false
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    if (!isObject(message)) continue
    const { role, content } = message
    if (role === 'tool' || role === 'function') {
      row.push(contentText(content))
      continue
    }
    endRow()
    if (role === 'user') {
      if (hasSeenUser) add(users, describeContent(content))
      hasSeenUser = true
    }
    if (room <= 0 || users.length + toolResults.length >= MAX_TEXTS) break
  }
  endRow()
  return { users, toolResults }
}

/** The text of a message's content: the string, or its text parts, each on a line. */
export function contentText(content: unknown): string {
  return typeof content === 'string' ? content : joinLines(content, partText)
}

/** The text of a content with `[image]`, `[audio]` and `[file]` for parts of other media. */
export function describeContent(content: unknown): string {
  return typeof content === 'string' ? content : joinLines(content, (part) => partText(part) ?? mediumName(part))
}

/** The texts that `read` finds in the parts of a content, each on a line. */
function joinLines(content: unknown, read: (part: JsonObject) => unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (isObject(part) ? read(part) : undefined))
    .filter((text) => typeof text === 'string')
    .join('\n')
}

const partText = ({ text, refusal }: JsonObject): unknown => text ?? refusal

function mediumName({ type, file }: JsonObject): string | undefined {
  if (type === 'image_url') return '[image]'
  if (type === 'input_audio') return '[audio]'
  if (type !== 'file') return undefined
  return isObject(file) && typeof file.filename === 'string' ? `[file ${file.filename}]` : '[file]'
}
