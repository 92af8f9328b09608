/** The facts of one call that conditions compare: for the matcher, near misses and the journal filter. */

import type { JsonObject } from '../../lib/text/json.ts'
import {
  type EarlierTexts,
  type MessageFacts,
  NOTHING_EARLIER,
  readEarlier,
  readMessages,
} from '../../protocol/request/chat-messages.ts'
import { ENDPOINTS, type RoutedEndpoint } from '../../protocol/request/endpoints.ts'
import { readTools } from '../../protocol/request/tools.ts'

/** The facts that a caller hands in; the others are read from the body. */
export interface FactSources {
  readonly endpoint: RoutedEndpoint
  readonly key: string
  readonly model: string
  /** Number of times that this key has sent the same request, this call included. */
  readonly attempt: number
  /** The state that the scenario is in; undefined when it has no states. */
  readonly state: string | undefined
  readonly body: JsonObject
  /** The body without the parts that the scenario ignores. Default: the body. */
  readonly comparedBody?: JsonObject
  /** The body as text; undefined when it was not stored. */
  readonly bodyText: string | undefined
}

export interface Facts extends FactSources, MessageFacts {
  readonly comparedBody: JsonObject
  readonly stream: boolean
  /** The names of the tools that the request declares. */
  readonly tools: readonly string[]
  /** The texts of earlier turns, which are read when a condition needs them. */
  readonly earlier: () => EarlierTexts
}

/** Reads something from the body; a caller that sees the same body again can hand in a cached reader. */
type ReadBody = <Value>(read: (body: JsonObject) => Value) => Value

const NO_MESSAGES = readMessages({})
const toolNames = (body: JsonObject): readonly string[] => readTools(body).declared.map(({ name }) => name)

/** Reads the facts of a call. Only endpoints with messages have texts and tools, whatever the body contains. */
export function buildFacts(call: FactSources, readBody: ReadBody = (read) => read(call.body)): Facts {
  const hasMessages = call.endpoint !== 'unknown' && ENDPOINTS[call.endpoint].hasMessages
  const { endpoint, key, model, attempt, state, body, comparedBody = body, bodyText } = call
  const { user, system, toolResult, last, userMessageCount } = hasMessages ? readBody(readMessages) : NO_MESSAGES
  // Kept here: the journal keeps the facts of some calls, and `readBody` would keep the whole call.
  let earlier: EarlierTexts | undefined
  // No spread: with fields after it, the object takes 4,800 bytes instead of 300, and every call of a scenario with rules has one.
  return {
    user,
    system,
    toolResult,
    last,
    userMessageCount,
    endpoint,
    key,
    model,
    attempt,
    state,
    body,
    comparedBody,
    bodyText,
    stream: body.stream === true,
    tools: hasMessages ? readBody(toolNames) : [],
    earlier: () => {
      earlier ??= hasMessages ? readEarlier(body) : NOTHING_EARLIER
      return earlier
    },
  }
}
