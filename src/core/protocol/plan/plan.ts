/**
 * The plan: a response as data. The core builds it, a transport plays it.
 *
 *     [{ type: 'wait', ms: 300 }, { type: 'head', status: 200, headers: {...} },
 *      { type: 'send', data: 'data: {...}\n\n', tokens: 1 }, { type: 'end' }]
 *
 * A plan is a timeline. Its rules:
 * - `head` comes once, before any `send`. A `wait` may come anywhere.
 * - Exactly one closing event ends it: `end`, `close`, `reset` or `stall`.
 * - Data that is due at the same time is sent together; a `wait` or a `flush` separates it.
 * - Data is text, or bytes that are not text. A `content-length` in the head is sent as it is, true or not.
 * - `close` and `reset` break the connection after everything before was delivered: with a FIN or an RST.
 * - `stall` sends nothing more and keeps the connection open until the client leaves.
 * - `raw` replaces the head with bytes on the bare connection, and only a `close` may follow. It needs a socket, so a
 *   plan for a call over fetch has none.
 */

import { countUtf8 } from '../../lib/text/bytes.ts'
import { ENDPOINTS } from '../request/endpoints.ts'
import type { TextParts } from './text-parts.ts'

/** The way of a plan to the client: a connection of its own, or a response to fetch, in process and in browsers. */
export type Transport = 'http' | 'fetch'

/** One step of a response. */
export type PlanEvent =
  | { readonly type: 'wait'; readonly ms: number }
  | Head
  | Send
  | { readonly type: 'flush' }
  | { readonly type: 'raw'; readonly data: Uint8Array }
  | End
  | { readonly type: 'close' }
  | { readonly type: 'reset' }
  | { readonly type: 'stall' }

export interface End {
  readonly type: 'end'
  /** True if the server resets the connection when the next call arrives on it. */
  readonly isStale?: boolean
}

export interface Head {
  readonly type: 'head'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export interface Send {
  readonly type: 'send'
  /** A long text is built each time it is read. */
  readonly data: string | Uint8Array
  /** The size of a long text in bytes, known without building it. */
  readonly byteLength?: number
  /** A long text in parts, for players to write one by one. */
  readonly parts?: TextParts
  /** The number of generated tokens in the data; the pace depends on it. */
  readonly tokens?: number
  /** True if another choice sends it at the same time as the one before, so that the pace does not wait for it. */
  readonly isBeside?: boolean
}

/** The deciders of a response: a stage that refuses, a fault, a reply rule, or the endpoint's own default. */
export const REASONS = [
  'fault',
  'limit',
  'queue',
  'key',
  'route',
  'request',
  'reply',
  'tool',
  'schema',
  ...new Set(Object.values(ENDPOINTS).map(({ reason }) => reason)),
  'preflight',
] as const

/** The reason of a response, shown in the log, the journal and `x-mock-*` headers. */
export interface Reason {
  readonly by: (typeof REASONS)[number]
  /** The name of the fault, limit or error that decided, or the id of the rule (`replies[2]`). */
  readonly name: string
}

/**
 * The fault of a reason and its source (`header`, `faults[0]`); undefined when no fault decided.
 * @example faultIn({ by: 'fault', name: 'rate-limit (faults[0])' }) // { fault: 'rate-limit', from: 'faults[0]' }
 */
export function faultIn({ by, name }: Reason): { readonly fault: string; readonly from: string } | undefined {
  if (by !== 'fault') return undefined
  const end = name.indexOf(' (')
  return { fault: name.slice(0, end), from: name.slice(end + 2, -1) }
}

/** The limit of a reason (`requests`, `budget.tokens`); undefined when no limit decided. */
export function limitIn({ by, name }: Reason): string | undefined {
  if (by !== 'limit') return undefined
  return name === 'request-too-large' ? 'tokens' : name.replace(/-limit$/, '')
}

/** The events of a plan: a list, or a long stream whose events are made when they are read (`LongStream`). */
export interface PlanEvents extends Iterable<PlanEvent> {
  readonly length: number
  at(index: number): PlanEvent | undefined
}

/** A response as data. */
export interface Plan {
  readonly events: PlanEvents
  readonly reason: Reason
  /** True if the answer is a stream of server-sent events; each of its sends is then one event. */
  readonly isStream: boolean
  /** Further facts for the caller: unknown parameters, a content type that was not read. */
  readonly notes: readonly string[]
  /** The options of the fault that decided which are not at their default, as a scenario writes them. */
  readonly faultOptions?: Readonly<Record<string, string | number>>
}

const END: PlanEvent = { type: 'end' }
const NO_NOTES: readonly string[] = []

/** A plan that sends a whole body at once. `tokens` is how many generated tokens the body holds. */
export function planOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | TextParts,
  reason: Reason,
  tokens = 0,
): Plan {
  const head: Head = { type: 'head', status, headers }
  const send: Send =
    typeof body === 'string'
      ? { type: 'send', data: body, tokens }
      : {
          type: 'send',
          parts: body,
          byteLength: body.byteLength,
          tokens,
          get data() {
            return [...body].join('')
          },
        }
  const events: PlanEvent[] = body === '' ? [head, END] : [head, send, END]
  return { events, reason, isStream: false, notes: NO_NOTES }
}

/** The plan with notes after its own. */
export const withNotes = (plan: Plan, notes: readonly string[] = NO_NOTES): Plan =>
  notes.length === 0 ? plan : { ...plan, notes: [...plan.notes, ...notes] }

/** Undefined when the events never send a head. */
export function headOf(events: Iterable<PlanEvent>): Head | undefined {
  for (const event of events) if (event.type === 'head') return event
  return undefined
}

/** The status a plan answers with; 0 when it never sends a head. */
export const statusOf = ({ events }: Plan): number => headOf(events)?.status ?? 0

/** The size of the data of an event in bytes. */
export const sendSizeOf = (send: Pick<Send, 'data' | 'byteLength'>): number =>
  send.byteLength ?? (typeof send.data === 'string' ? countUtf8(send.data) : send.data.length)

/** The number of generated tokens that the events send. */
export function tokensOf(events: Iterable<PlanEvent>): number {
  let tokens = 0
  for (const event of events) if (event.type === 'send') tokens += event.tokens ?? 0
  return tokens
}

/** The sum of all waits of a plan, in milliseconds. */
export function waitsOf({ events }: Plan): number {
  let ms = 0
  for (const event of events) if (event.type === 'wait') ms += event.ms
  return ms
}
