/**
 * The msw handlers of a mock, for `setupServer` in Node and `setupWorker` in the browser:
 *
 *     const server = setupServer(...createMock('chat').handlers)
 */
import type { HttpHandler, HttpResponseResolver } from 'msw'
import type { PlanEvent } from '../core/protocol/plan/plan.ts'
import { readAddressBelow, trimSlashes } from '../core/protocol/request/request-path.ts'
import type { Engine } from '../engine/index.ts'
import { answerCall, readHeaders } from './answer-call.ts'
import { handleAll } from './msw-functions.ts'
import { clientSignal, nodeHttpClientOf } from './msw2-workarounds.ts'

/** One handler, which answers every call under the base URL. */
export function handlersOf(engine: Engine, baseURL: URL): HttpHandler[] {
  const basePath = trimSlashes(baseURL.pathname)
  const respond: HttpResponseResolver = async ({ request }) => {
    const signal = clientSignal(request)
    const { method, headers } = request
    const url = new URL(request.url)
    const text = await request.text()
    // A client of node:http unzips for itself, so the events stay as they are.
    const adapt = nodeHttpClientOf(request) === undefined ? undefined : (events: readonly PlanEvent[]) => events
    return answerCall(engine, { method, url, headers: readHeaders(headers), text, signal }, basePath, adapt)
  }
  return [handleBelow(baseURL.origin, basePath, respond)]
}

/**
 * A handler of every call below a base path. msw gets a test instead of a pattern, because it decodes what a pattern
 * captures and throws on a path that is not valid UTF-8.
 */
export const handleBelow = (origin: string, basePath: string, resolve: HttpResponseResolver): HttpHandler =>
  handleAll(({ request }) => isBelow(origin, basePath, new URL(request.url)), resolve)

/** True if a URL is below a base path, with or without a session. */
export const isBelow = (origin: string, basePath: string, url: URL): boolean =>
  url.origin === origin && readAddressBelow(basePath, url.pathname) !== undefined
