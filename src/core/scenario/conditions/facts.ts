/**
 * The facts of one call that conditions compare: for the matcher, near misses and the journal filter. Some come from the
 * caller (`FactSources`), the others are read from the body.
 * @example buildFacts({ endpoint: 'chat', body: { messages: [{ role: 'user', content: 'Hi' }], ... }, ... }).user // 'Hi'
 */

import { turnReader } from '../../dialects/read-turn.ts'
import type { JsonObject } from '../../lib/text/json.ts'
import type { RoutedEndpoint } from '../../protocol/request/endpoints.ts'
import type { Turn } from '../../protocol/turn/turn.ts'
import { type EarlierTexts, type MessageFacts, readEarlier, readMessages } from '../../protocol/turn/turn-texts.ts'

/** The facts that a caller hands in. */
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

export type Facts = Readonly<ReturnType<typeof buildFacts>>

/**
 * Reads the facts of a call.
 * @param turn the request, with the earlier turns that only the mock knows. Default: what is in the body.
 */
export function buildFacts(
  call: FactSources,
  turn: Turn = turnReader(call.endpoint)(call.body),
  messages: MessageFacts = readMessages(turn.messages),
) {
  const { endpoint, key, model, attempt, state, body, comparedBody = body, bodyText } = call
  const { user, system, toolResult, last, userMessageCount } = messages
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
    /** The request in neutral form. */
    turn,
    stream: body.stream === true,
    /** The names of the tools that the request declares. */
    tools: turn.tools.declared.map(({ name }) => name),
    /** The texts of earlier turns, which are read when a condition needs them. */
    earlier: () => {
      earlier ??= readEarlier(turn.messages)
      return earlier
    },
  }
}
