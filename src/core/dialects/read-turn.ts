/** Reads the body of a call as a turn, by its endpoint. docs/adding-a-dialect.md says how a dialect is added. */

import type { JsonObject } from '../lib/text/json.ts'
import type { RoutedEndpoint } from '../protocol/request/endpoints.ts'
import { NO_TURN, type Turn } from '../protocol/turn/turn.ts'
import { readChat } from './chat/read-chat.ts'
import { readResponses } from './responses/read-responses.ts'

type ReadTurn = (body: JsonObject) => Turn

const readers: Partial<Record<RoutedEndpoint, ReadTurn>> = {
  chat: readChat,
  responses: readResponses,
  'input-tokens': readResponses,
}

/** The reader of an endpoint; a call that is no generation has an empty turn, whatever is in its body. */
export const turnReader = (endpoint: RoutedEndpoint): ReadTurn => readers[endpoint] ?? (() => NO_TURN)
