/** Answers one call in process with a web Response. */
import type { Call } from '../core/decide/call/call-context.ts'
import type { PlanEvent } from '../core/protocol/plan/plan.ts'
import { readAddressBelow } from '../core/protocol/request/address.ts'
import { type Engine, type Exchange, loadTokenizers } from '../engine/index.ts'
import { endGzip } from './msw2-workarounds.ts'
import { playFetch } from './play-fetch.ts'

export interface FetchCall extends Pick<Call, 'method' | 'header'> {
  /** Below the base path. */
  readonly url: URL
  readonly text: string
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
}

/** @param adapt what the client needs in place of the events of the plan. Default: gzip is complete. */
export async function answerCall(
  engine: Engine,
  { method, url: { pathname, search }, header, text, signal }: FetchCall,
  basePath: string,
  adapt: (events: readonly PlanEvent[]) => readonly PlanEvent[] = endGzip,
): Promise<Response> {
  await loadTokenizers()
  const call: Call = {
    method,
    ...readAddressBelow(basePath, pathname)!,
    query: search === '' ? undefined : search.slice(1),
    header,
    body: isWithin(text, engine.bodyLimit) ? text : undefined,
    bodyLimit: engine.bodyLimit,
    now: engine.clock.now(),
    speed: engine.clock.speed,
    transport: 'fetch',
  }
  const exchange = await new Promise<Exchange>((begun, failed) => engine.receive(call, begun, failed))
  try {
    return await playFetch(exchange, engine, signal, adapt(exchange.plan.events))
  } catch (error) {
    // The slot of a call is freed when it ends.
    exchange.end('cut')
    throw error
  }
}

/** True if a text has at most `bytes` bytes in UTF-8; they are only counted when its length cannot decide. */
function isWithin(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return true
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes
}
