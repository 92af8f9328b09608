/** Answers one call in process: gives it to the engine as data, and plays the plan of the answer as a web Response. */

import type { Call } from '../core/decide/call/call.ts'
import { countUtf8, MAX_BYTES_PER_UNIT } from '../core/lib/text/bytes.ts'
import type { PlanEvent } from '../core/protocol/plan/plan.ts'
import { CALL_HEADERS, type CallHeaders } from '../core/protocol/request/decisive-headers.ts'
import { readAddressBelow } from '../core/protocol/request/request-path.ts'
import { type Engine, type Exchange, loadTokenizers } from '../engine/index.ts'
import { endGzip } from './msw2-workarounds.ts'
import { playFetch } from './play-fetch.ts'

/** A call as fetch makes it. */
interface FetchCall extends Pick<Call, 'method' | 'headers'> {
  /** Below the base path. */
  readonly url: URL
  readonly text: string
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
}

/**
 * Answers a call when its head is due; its body follows.
 * @param adapt changes the events of the plan to what the client can read. Default: completes gzip that breaks off.
 */
export async function answerCall(
  engine: Engine,
  { method, url: { pathname, search }, headers, text, signal }: FetchCall,
  basePath: string,
  adapt: (events: readonly PlanEvent[]) => readonly PlanEvent[] = endGzip,
): Promise<Response> {
  await loadTokenizers()
  const { bodyLimit } = engine
  // Bytes are only counted when the length cannot decide.
  const isSmall =
    text.length * MAX_BYTES_PER_UNIT <= bodyLimit || (text.length <= bodyLimit && countUtf8(text) <= bodyLimit)
  const call: Call = {
    method,
    ...readAddressBelow(basePath, pathname)!,
    query: search === '' ? undefined : search.slice(1),
    headers,
    body: isSmall ? text : undefined,
    bodyLimit,
    now: engine.clock.now(),
    speed: engine.clock.speed,
    transport: 'fetch',
  }
  const exchange = await new Promise<Exchange>((resolve, reject) => engine.receive(call, resolve, reject))
  try {
    return await playFetch(exchange, engine, signal, adapt([...exchange.plan.events]))
  } catch (error) {
    // The slot of a call is freed when it ends.
    exchange.end('cut')
    throw error
  }
}

/** The headers of a request that a call has. */
export const readHeaders = (headers: Headers): CallHeaders =>
  Object.fromEntries(CALL_HEADERS.map((name) => [name, headers.get(name) ?? undefined]))
