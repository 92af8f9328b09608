/**
 * The messages between the primary and its workers.
 *
 * The primary has the mock. A worker parses HTTP, asks the primary what to answer, plays the plan and reports how that
 * went. Everything from one turn of the event loop goes into one message, because a message costs far more than its
 * content. Calls and plans are tuples, because field names would be most of the bytes.
 *
 *     client -> worker:  HTTP
 *               worker -> primary:  calls, notes on plans in progress, how late waits were
 *               primary -> worker:  plans, and which calls are settled
 *     client <- worker:  HTTP, at the pace of the plan
 *
 * The clocks of two processes have different origins, so messages carry no times, only the time since the call reached
 * the worker.
 */
import type { Outcome } from '../core/journal/entry.ts'
import type { PackedPlan } from '../core/journal/packed-plan.ts'
import type { Head } from '../core/plan/plan.ts'
import type { Percentiles } from '../engine/timing/duration-histogram.ts'

/** A call, under a number that the worker chose, with its headers in the order of `CALL_HEADERS`. */
export type CallMessage = readonly [
  id: number,
  method: string,
  path: string,
  query: string | undefined,
  body: string | undefined,
  ...headers: (string | undefined)[],
]

/** Progress of a plan: events were sent, its end waits for the primary to settle the call, or it has ended. */
export type Note = readonly [id: number, what: 'sent' | 'ending' | Outcome, afterMs: number, events: number]

/** Everything new since the worker's last report. */
export interface Report {
  readonly calls: CallMessage[]
  readonly notes: Note[]
  /** How late waits ended, in real milliseconds. */
  readonly late: number[]
  /** The lag of the worker's event loop. */
  lag?: Percentiles | undefined
  /** Answers a `sync`: everything older is in this report or an earlier one. */
  synced?: number
}

/** A plan for a call. */
export type PlanMessage = readonly [
  id: number,
  /** Time from the call to the start of its plan. */
  heldMs: number,
  /** Whether the worker has the primary settle the call before it sends the last event, because limits depend on its end. */
  mustSettle: boolean,
  status: number,
  headers: Head['headers'],
  packed: PackedPlan,
]

/** A call that the primary failed to decide, with the error. */
export type FailureMessage = readonly [id: number, stack: string]

export interface Setup {
  readonly host: string
  readonly port: number
  readonly bodyLimit: number
  readonly speed: number
  readonly hasHandlers: boolean
  /** The path of the socket where the primary answers forwarded requests. */
  readonly controlSocket: string
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'listening' }
  | { readonly type: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly type: 'report'; readonly report: Report }
  /** The last message of a worker. */
  | { readonly type: 'closed' }

export type FromPrimary =
  | { readonly type: 'listen'; readonly setup: Setup }
  | { readonly type: 'plans'; readonly plans: readonly (PlanMessage | FailureMessage)[] }
  | { readonly type: 'settled'; readonly ids: readonly number[] }
  | { readonly type: 'sync'; readonly syncId: number }
  | { readonly type: 'reset-lag' }
  | { readonly type: 'close'; readonly graceMs: number }
