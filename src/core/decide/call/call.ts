/** A call as data: `{ method: 'POST', path: '/v1/chat/completions', headers: {...}, body: '{"model":...}', now: 0, ... }`. */

import type { Transport } from '../../protocol/plan/plan.ts'
import type { CallHeaders } from '../../protocol/request/decisive-headers.ts'

/** A call as data, as a transport received it. Nothing in it is trusted. */
export interface Call {
  readonly method: string
  /** The path from `/v1` on, without the query. */
  readonly path: string
  /** The session in the address as it was sent, valid or not: `t1` of `/s/t1/v1`. */
  readonly session?: string | undefined
  /** The session that the key belongs to, by the scenario of the mock. */
  readonly keySession?: string | undefined
  /** The Azure deployment in the address: the model of a body that names none. */
  readonly deployment?: string | undefined
  /** True if the key may be in the header `api-key`, as Azure takes it. */
  readonly acceptsApiKey?: boolean | undefined
  /** The query of the address. It decides nothing, but it may hold a key. */
  readonly query?: string | undefined
  /** The request headers that decide an answer; there may be others. */
  readonly headers: CallHeaders
  /** The body as text; undefined when it was larger than `bodyLimit` and not read. */
  readonly body: string | undefined
  readonly bodyLimit: number
  /** Time of its arrival, in milliseconds of the mock's clock. */
  readonly now: number
  /** Milliseconds of that clock per real millisecond; waits named in answers are in real time. Default: 1. */
  readonly speed?: number
  /** The way the answer is sent: a fault that needs a connection can't happen over fetch. */
  readonly transport: Transport
  /** True if the connection stays open after the answer. Default: true. */
  readonly keepsAlive?: boolean
}
