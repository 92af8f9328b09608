/** Reads what a chat said before its last user message and its last tool results. */
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { contentText, describeContent } from './chat-messages.ts'

/** Texts of earlier turns, the latest first. */
export interface EarlierTexts {
  /** The user messages before the last one. */
  readonly users: readonly string[]
  /** The tool results before those that the chat ends with. Results in a row are one text, each on a line. */
  readonly toolResults: readonly string[]
}

export const NOTHING_EARLIER: EarlierTexts = { users: [], toolResults: [] }

// Patterns are matched against all of it, so it is bounded as the one text of other conditions is.
const MAX_CHARACTERS = 100_000
const MAX_TEXTS = 1000

export function readEarlier({ messages }: JsonObject): EarlierTexts {
  const users: string[] = []
  const toolResults: string[] = []
  let room = MAX_CHARACTERS
  const add = (texts: string[], text: string): void => {
    texts.push(text.slice(0, room))
    room -= text.length
  }
  // The results in a row that end before the message at hand.
  let results: string[] = []
  let isAtEnd = true
  const endRow = (): void => {
    if (results.length > 0 && !isAtEnd) add(toolResults, results.reverse().join('\n'))
    results = []
    isAtEnd = false
  }
  let isLastUser = true
  const all = Array.isArray(messages) ? messages : []
  for (let index = all.length - 1; index >= 0; index--) {
    const message: unknown = all[index]
    if (!isObject(message)) continue
    const { role, content } = message
    if (role === 'tool' || role === 'function') {
      results.push(contentText(content))
      continue
    }
    endRow()
    if (role === 'user') {
      if (!isLastUser) add(users, describeContent(content))
      isLastUser = false
    }
    if (room <= 0 || users.length + toolResults.length >= MAX_TEXTS) break
  }
  endRow()
  return { users, toolResults }
}
