/**
 * A turn: one request for a generation in neutral form, read from the body of any dialect (dialects/read-turn.ts).
 *
 *     { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], n: 1, maxTokens: 20, isStream: false, ... }
 *
 * The body may not have been checked when it is read, so any value may be missing or of another type. Conditions and the
 * journal must expect that; the code that answers a turn runs after the checks.
 */

import type { AudioFormat } from '../../lib/audio/audio-formats.ts'
import type { JsonObject } from '../../lib/text/json.ts'

/** A function, a custom tool with an input of its own format, or a function of the deprecated `functions`. */
export type ToolType = 'function' | 'custom' | 'function_call'

/** A tool that a request declares. */
export interface Tool {
  readonly type: ToolType
  readonly name: string
  /** '' when it has none. */
  readonly description: string
  /** The JSON Schema of a function's arguments; undefined for a function without arguments and for a custom tool. */
  readonly schema: unknown
  /** The format of a custom tool's input: `{type: text}` or `{type: grammar, grammar: {syntax, definition}}`. */
  readonly format: unknown
  /** True for a function whose arguments must follow the schema. */
  readonly isStrict: boolean
}

/** The tools of a request, and its tool choice. */
export interface Tools {
  readonly declared: readonly Tool[]
  /** The tools that the tool choice allows. */
  readonly allowed: readonly Tool[]
  /** True if the answer must be a call. */
  readonly isForced: boolean
  /** True if the tool choice names the one function to call. */
  readonly isNamed: boolean
  /** True if the answer may hold more than one call. */
  readonly isParallel: boolean
}

export const NO_TOOLS: Tools = { declared: [], allowed: [], isForced: false, isNamed: false, isParallel: true }

/** The format that the answer must have. */
export interface OutputFormat {
  readonly type: 'text' | 'json_object' | 'json_schema'
  /** The name of the schema; '' without one. */
  readonly name: string
  /** Undefined when any JSON is valid. */
  readonly schema: unknown
}

export const PLAIN_TEXT: OutputFormat = { type: 'text', name: '', schema: undefined }

/** The effort of a request without one, for a model that says no other. */
export const USUAL_EFFORT = 'medium'

/** A request for a generation. */
export interface Turn {
  readonly model: string
  /**
   * The conversation, oldest first, that of earlier turns included. The neutral form is that of chat: `role` (system,
   * developer, user, assistant, tool, function), `content` (a text, or parts: text, image_url, input_audio, file, refusal),
   * `name`, `tool_calls` and `tool_call_id`.
   */
  readonly messages: readonly JsonObject[]
  readonly tools: Tools
  readonly format: OutputFormat
  readonly n: number
  readonly stops: readonly string[]
  /** The most tokens of the answer, thinking included; Infinity without a limit. */
  readonly maxTokens: number
  readonly isStream: boolean
  /** True if a stream tells its usage. */
  readonly includeUsage: boolean
  /** Undefined when the request does not say; then it depends on the scenario. */
  readonly includeObfuscation: boolean | undefined
  readonly serviceTier: string
  /** Undefined for the default of the model. */
  readonly effort: string | undefined
  /** Number of the most likely tokens to list for each token; undefined without logprobs. */
  readonly topLogprobs: number | undefined
  /** The text of `prediction`; undefined without one. */
  readonly prediction: string | undefined
  /** The format of the audio to answer with; undefined for an answer without audio. */
  readonly audioFormat: AudioFormat | undefined
}

/** The turn of a call that is no request for a generation. */
export const NO_TURN: Turn = {
  model: '',
  messages: [],
  tools: NO_TOOLS,
  format: PLAIN_TEXT,
  n: 1,
  stops: [],
  maxTokens: Number.POSITIVE_INFINITY,
  isStream: false,
  includeUsage: false,
  includeObfuscation: undefined,
  serviceTier: 'default',
  effort: undefined,
  topLogprobs: undefined,
  prediction: undefined,
  audioFormat: undefined,
}
