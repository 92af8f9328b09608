/** The msw handlers of a mock: they answer every call under its base URL. */
import { type HttpHandler, http } from 'msw'
import type { Call } from '../core/call/call-context.ts'
import { readAddressBelow } from '../core/request/address.ts'
import { trimSlashes } from '../core/text/trim-slashes.ts'
import type { Engine } from '../engine/engine.ts'
import type { Exchange } from '../engine/exchange.ts'
import { loadTokenizers } from '../engine/tokenizers.ts'
import { clientSignal, nodeHttpClientOf } from './client-signal.ts'
import { endGzip } from './end-gzip.ts'
import { playFetch } from './play-fetch.ts'

/** Handlers for `setupServer` in Node and `setupWorker` in the browser. */
export function handlersOf(engine: Engine, baseURL: URL): HttpHandler[] {
  const basePath = trimSlashes(baseURL.pathname)
  return [http.all(patternBelow(baseURL.origin, basePath), ({ request }) => respond(engine, request, basePath))]
}

/**
 * What every address below a base path matches, with or without a session. It captures nothing, because msw decodes what
 * was captured and throws on a path that is not valid UTF-8.
 */
export function patternBelow(origin: string, basePath: string): RegExp {
  const version = basePath.endsWith('/v1') ? '/v1' : ''
  const base = escapePattern(origin + basePath.slice(0, basePath.length - version.length))
  return new RegExp(`^${base}(?:/s/[^/?#]*)?${version}/`)
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

async function respond(engine: Engine, request: Request, basePath: string): Promise<Response> {
  const signal = clientSignal(request)
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  await loadTokenizers()
  const call: Call = {
    method: request.method,
    ...readAddressBelow(basePath, pathname)!,
    query: search === '' ? undefined : search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    body: isWithin(text, engine.bodyLimit) ? text : undefined,
    bodyLimit: engine.bodyLimit,
    now: engine.clock.now(),
    speed: engine.clock.speed,
    transport: 'fetch',
  }
  const exchange = await new Promise<Exchange>((begun, failed) => engine.receive(call, begun, failed))
  const { events } = exchange.plan
  try {
    return await playFetch(exchange, engine, signal, nodeHttpClientOf(request) === undefined ? endGzip(events) : events)
  } catch (error) {
    // The slot of a call is freed when it ends.
    exchange.end('cut')
    throw error
  }
}

/** Whether a text has at most `bytes` bytes in UTF-8; they are only counted when its length cannot decide. */
function isWithin(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return true
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes
}
