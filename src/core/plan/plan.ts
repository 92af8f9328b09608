/**
 * The plan: a response as data, made by the core and played by a shell.
 *
 * A plan is a timeline. Its rules:
 * - `head` comes once, before any `send`; a `wait` may stand anywhere.
 * - Exactly one closing event ends it: `end`, `close`, `reset` or `stall`.
 * - What is due at the same time goes out together; a `wait` or a `flush` parts what is before from what comes after.
 * - Data is text, or bytes where no text will do. A `content-length` in the head is sent as it stands, true or not.
 * - `close` and `reset` break the connection after everything before was delivered: with a FIN, with an RST.
 * - `stall` means: send no more and keep the connection open until the client leaves.
 * - `raw` takes the place of a head: bytes on the bare connection. Only a `close` follows. It needs a socket, so no
 *   plan for a call over fetch has one.
 */

import { ENDPOINTS } from '../request/endpoints.ts'

/** How a plan gets to the client: on a connection of its own, or as a response to fetch, in process and in browsers. */
export type Transport = 'http' | 'fetch'

/** One step of a response. */
export type PlanEvent =
  | { readonly type: 'wait'; readonly ms: number }
  | Head
  | Send
  | { readonly type: 'flush' }
  | { readonly type: 'raw'; readonly data: Uint8Array }
  | { readonly type: 'end' }
  | { readonly type: 'close' }
  | { readonly type: 'reset' }
  | { readonly type: 'stall' }

export interface Head {
  readonly type: 'head'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

export interface Send {
  readonly type: 'send'
  readonly data: string | Uint8Array
  /** How many generated tokens the data holds; the pace goes by it. */
  readonly tokens?: number
  /** Whether it is written at the same time as the one before, by another choice: the pace does not wait for it. */
  readonly isBeside?: boolean
}

/** What can decide a response: a stage that refuses, a fault, a reply rule, or the endpoint's own default. */
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
  ...Object.values(ENDPOINTS).map(({ reason }) => reason),
  'preflight',
] as const

/** Why a response is what it is, in the words of the scenario: shown in the log, the journal and `x-mock-*` headers. */
export interface Reason {
  /** What decided: a fault, a limit, a check of the request, a reply rule, the echo, ... */
  readonly by: (typeof REASONS)[number]
  /** Its name: the fault's, the limit's, the error's, or where the rule stands (`replies[2]`). */
  readonly name: string
}

/** The fault of a reason and where it came from (`header`, `faults[0]`); undefined when no fault decided. */
export function faultIn({ by, name }: Reason): { readonly fault: string; readonly from: string } | undefined {
  if (by !== 'fault') return undefined
  const end = name.indexOf(' (')
  return { fault: name.slice(0, end), from: name.slice(end + 2, -1) }
}

/** The limit of a reason (`requests`, `tokens`); undefined when no limit decided. */
export function limitIn({ by, name }: Reason): string | undefined {
  if (by !== 'limit') return undefined
  return name === 'request-too-large' ? 'tokens' : name.replace(/-limit$/, '')
}

/** A response as data. */
export interface Plan {
  readonly events: readonly PlanEvent[]
  readonly reason: Reason
  /** What the caller may want to know besides: unknown parameters, a content type that was not read. */
  readonly notes: readonly string[]
}

const END: PlanEvent = { type: 'end' }

/** The plan of a whole body sent at once, which holds so many generated tokens. */
export function planOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  reason: Reason,
  notes: readonly string[] = [],
  tokens = 0,
): Plan {
  const head: Head = { type: 'head', status, headers }
  const events: PlanEvent[] = body === '' ? [head, END] : [head, { type: 'send', data: body, tokens }, END]
  return { events, reason, notes }
}

/** The head among events; undefined when they never send one. */
export function headOf(events: readonly PlanEvent[]): Head | undefined {
  for (const event of events) if (event.type === 'head') return event
  return undefined
}

/** The status a plan answers with; 0 when it never sends a head. */
export const statusOf = ({ events }: Plan): number => headOf(events)?.status ?? 0

/** How many generated tokens events send. */
export function tokensOf(events: readonly PlanEvent[]): number {
  return events.reduce((sum, event) => (event.type === 'send' ? sum + (event.tokens ?? 0) : sum), 0)
}

/** The sum of all waits of a plan, in milliseconds. */
export function waitsOf(plan: Plan): number {
  return plan.events.reduce((sum, event) => (event.type === 'wait' ? sum + event.ms : sum), 0)
}
