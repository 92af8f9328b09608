/**
 * What workers and their owner say to each other.
 *
 * The owner is the process that has the mock; its workers are its doors. A worker parses HTTP, asks the owner what to
 * answer, plays the plan and tells how that went. All that gathers in one turn of the event loop is one message, for a
 * message costs far more than what is in it. Calls and plans are lists, as names of fields would be most of them.
 *
 *     client -> worker:  HTTP
 *               worker -> owner:  calls, notes on plans under way, how late waits were
 *               owner -> worker:  plans
 *     client <- worker:  HTTP, at the pace of the plan
 *
 * Clocks of processes begin anywhere, so no message has a time, only how long after the call came.
 */
import type { Outcome } from '../core/journal/entry.ts'
import type { PackedPlan } from '../core/journal/packed-plan.ts'
import type { Head } from '../core/plan/plan.ts'
import type { Percentiles } from '../engine/timing/duration-histogram.ts'

/** A call as a worker received it, under a number of the worker's own; then its headers, as `CALL_HEADERS` has them. */
export type CallMessage = readonly [
  id: number,
  method: string,
  path: string,
  query: string | undefined,
  body: string | undefined,
  ...headers: (string | undefined)[],
]

/** What becomes of a plan: events of it were sent, its last is about to be sent, it has ended. */
export type Note = readonly [id: number, what: 'sent' | 'ending' | Outcome, afterMs: number, events: number]

/** What a worker has to tell since its last report. */
export interface Report {
  readonly calls: CallMessage[]
  readonly notes: Note[]
  /** How late waits ended, in real milliseconds. */
  readonly late: number[]
  /** How long the worker's event loop has been held up. */
  lag?: Percentiles | undefined
  /** The question that it answers: all that came before is in this report or an earlier one. */
  synced?: number
}

/** A plan for a call. */
export type PlanMessage = readonly [
  id: number,
  /** How long after the call came its plan begins. */
  heldMs: number,
  /** Whether limits wait for its end: the owner is told before the last of it goes out. */
  isCharged: boolean,
  status: number,
  headers: Head['headers'],
  packed: PackedPlan,
]

/** A call that the owner could not decide, with what went wrong. */
export type FailureMessage = readonly [id: number, stack: string]

export interface Setup {
  readonly host: string
  readonly port: number
  readonly bodyLimit: number
  readonly speed: number
  readonly hasHandlers: boolean
  /** Where the owner answers what is no call. */
  readonly backDoor: string
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'listening' }
  | { readonly type: 'failed'; readonly code: string | undefined; readonly message: string }
  | { readonly type: 'report'; readonly report: Report }
  /** Its last word. */
  | { readonly type: 'closed' }

export type FromPrimary =
  | { readonly type: 'listen'; readonly setup: Setup }
  | { readonly type: 'plans'; readonly plans: readonly (PlanMessage | FailureMessage)[] }
  | { readonly type: 'sync'; readonly question: number }
  | { readonly type: 'reset-lag' }
  | { readonly type: 'close'; readonly graceMs: number }
