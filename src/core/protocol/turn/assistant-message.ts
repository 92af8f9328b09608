/**
 * The message of the assistant before it is counted and written in a dialect: a text, a refusal or tool calls.
 *
 *     { type: 'text', text: 'Hello' }
 *     { type: 'calls', calls: [{ type: 'function', name: 'get_weather', input: '{"city":"Rome"}' }] }
 */

import type { JsonObject } from '../../lib/text/json.ts'
import type { ToolType } from './turn.ts'

/** One call of a tool. */
export interface ToolCall {
  readonly type: ToolType
  readonly name: string
  /** The arguments of a function, as JSON text; the input of a custom tool, as it is. */
  readonly input: string
  /** The JSON Schema of the arguments; undefined where the tool has none. */
  readonly schema?: unknown
  /** The id that a fault gives the call; otherwise it is drawn. */
  readonly id?: string
  /** Another id, which a fault adds to the chunks after the first one of a streamed call. */
  readonly laterId?: string
}

/** The finish reason of an answer that ends early. */
export type UnfinishedReason = 'length' | 'content_filter'

export interface TextMessage {
  readonly type: 'text'
  readonly text: string
  /** Undefined for the usual `stop`. */
  readonly finishReason?: UnfinishedReason | undefined
  /** The JSON Schema that the text was asked to be valid against. */
  readonly schema?: unknown
  /** Items of hosted tools, for a dialect that has items. */
  readonly items?: readonly JsonObject[] | undefined
}

export type AssistantMessage =
  | TextMessage
  /** On the wire the text is in `refusal`, and `content` is null. */
  | { readonly type: 'refusal'; readonly text: string }
  /** At least one call. The reason is undefined for the usual `tool_calls`. */
  | { readonly type: 'calls'; readonly calls: readonly ToolCall[]; readonly finishReason?: UnfinishedReason }
