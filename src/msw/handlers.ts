/** The msw handlers of a mock: they answer every call under its base URL. */
import { type HttpHandler, http } from 'msw'
import type { PlanEvent } from '../core/protocol/plan/plan.ts'
import { trimSlashes } from '../core/protocol/request/endpoint-route.ts'
import type { Engine } from '../engine/index.ts'
import { clientSignal, nodeHttpClientOf } from './msw2-workarounds.ts'
import { answerCall } from './play-fetch.ts'

/** Handlers for `setupServer` in Node and `setupWorker` in the browser. */
export function handlersOf(engine: Engine, baseURL: URL): HttpHandler[] {
  const basePath = trimSlashes(baseURL.pathname)
  return [http.all(patternBelow(baseURL.origin, basePath), ({ request }) => respond(engine, request, basePath))]
}

/**
 * Pattern of every address below a base path, with or without a session. It captures nothing, because msw decodes what
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
  const { method, headers } = request
  const url = new URL(request.url)
  const text = await request.text()
  const header = (name: string): string | undefined => headers.get(name) ?? undefined
  // A client of node:http unzips for itself.
  const adapt = nodeHttpClientOf(request) === undefined ? undefined : (events: readonly PlanEvent[]) => events
  return answerCall(engine, { method, url, header, text, signal }, basePath, adapt)
}
