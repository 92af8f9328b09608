/** What a conversation says, read from a request body that may still be anything: nothing here assumes it is valid. */

export type JsonObject = Readonly<Record<string, unknown>>

export interface Conversation {
  /** The text of the last user message, or '' without one. */
  readonly user: string
  /** All system and developer text. */
  readonly system: string
  /** The text of the last message, where it is the result of a tool or function. */
  readonly toolResult: string | undefined
  /** The text of the last message of all. */
  readonly last: string
  /** The number of user messages. */
  readonly turn: number
  /** Names of the offered tools and functions. */
  readonly tools: readonly string[]
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The text of a message's content: the string, or its text parts on a line each. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => (isObject(part) ? (part.text ?? part.refusal) : undefined))
    .filter((text) => typeof text === 'string')
    .join('\n')
}

export function readConversation(body: JsonObject): Conversation {
  let user: unknown = ''
  let last: JsonObject | undefined
  let turn = 0
  let system = ''
  for (const message of Array.isArray(body.messages) ? body.messages : []) {
    if (!isObject(message)) continue
    last = message
    if (message.role === 'user') {
      user = message.content
      turn++
    } else if (message.role === 'system' || message.role === 'developer') {
      system += (system === '' ? '' : '\n') + textOf(message.content)
    }
  }
  const isResult = last?.role === 'tool' || last?.role === 'function'
  const lastText = textOf(last?.content)
  return {
    user: textOf(user),
    system,
    toolResult: isResult ? lastText : undefined,
    last: lastText,
    turn,
    tools: body.tools === undefined && body.functions === undefined ? NO_TOOLS : toolNames(body),
  }
}

const NO_TOOLS: readonly string[] = []

function toolNames(body: JsonObject): string[] {
  const tools = Array.isArray(body.tools) ? body.tools.filter(isObject) : []
  const functions = Array.isArray(body.functions) ? body.functions.filter(isObject) : []
  return [...tools.map((tool) => tool.function ?? tool.custom).filter(isObject), ...functions]
    .map(({ name }) => name)
    .filter((name) => typeof name === 'string')
}
