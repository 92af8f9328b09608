/**
 * Types of reply functions, in a scenario in code: the request that they get, and the answers that they return.
 *
 *     createMock({ replies: [{ when: { user: 'sum' }, say: ({ user }) => String(sum(user)) }] })
 */

import type { JsonObject } from '../../lib/text/json.ts'
import type { UnfinishedReason } from './assistant-message.ts'
import type { Turn } from './turn.ts'

/** The request that a reply function answers: the turn, and what is known of the call. It is a copy. */
export interface ReplyRequest extends Turn {
  /** The last user message; '' without one. */
  readonly user: string
  /** The system or developer text; '' without one. */
  readonly system: string
  /** The last message, if it is a tool's result. */
  readonly toolResult: string | undefined
  /** The number of times that the key has sent this request, this call included. */
  readonly attempt: number
  /** The texts that the named groups of the rule's patterns captured. */
  readonly groups: Readonly<Record<string, string>>
}

/** A text, or an object that is sent as JSON. Nothing in it is replaced: `{{user}}` is sent as it is. */
export type ReplyText = string | JsonObject

/** A call of a tool that the request offers. */
export interface ReplyCall {
  readonly name: string
  /** Default: generated from the tool's JSON Schema. */
  readonly arguments?: ReplyText | undefined
}

/** The whole answer of a rule: a text, tool calls or a refusal. */
export type ReplyAnswer =
  | { readonly say: ReplyText; readonly finish?: UnfinishedReason | undefined }
  | { readonly call: ReplyCall | readonly ReplyCall[] }
  | { readonly refuse: string }

/** Returns a text: `say: ({ user }) => user.toUpperCase()`. */
export type SayFunction = (request: ReplyRequest) => ReplyText
/** Returns the tool calls of one answer: `call: ({ tools }) => ({ name: tools.allowed[0].name })`. */
export type CallFunction = (request: ReplyRequest) => ReplyCall | readonly ReplyCall[]
/** Decides between a text, tool calls and a refusal: `reply: ({ user }) => user === '' ? { refuse: 'No.' } : 'Yes.'`. */
export type ReplyFunction = (request: ReplyRequest) => string | ReplyAnswer

/** Refuses a function where TypeScript would take one for an object with its name. */
export interface NotCode {
  readonly apply?: never
}

/** A reply function with its place. */
export interface PlacedFunction {
  readonly field: 'say' | 'call' | 'reply'
  /** `replies[2].say` */
  readonly path: string
  readonly run: (request: ReplyRequest) => unknown
}
