/**
 * Decides by its path who answers a request:
 *
 *     POST /v1/chat/completions      the mock: a call
 *     GET  /_mock/state, /health     the control plane
 *     GET  /weather                  the user's handlers; without any, the mock answers 404
 *     GET  / in a browser            a redirect to the page, /_mock/
 */

import { readAddress, routeOf } from '../core/protocol/request/request-path.ts'
import type { Handler } from './http-server.ts'
import type { Serving } from './play-http.ts'
import { serve } from './serve.ts'
import { watchUnread } from './unread-answers.ts'

/** Paths that orchestrators and test runners probe. A user's own handlers come first. */
export const HEALTH_PATHS = ['/health', '/ready']

/** @param elsewhere answers for the control plane, for health probes and for the user's handlers. */
export function createRouter(
  serving: Serving,
  { hasHandlers, basePath }: { readonly hasHandlers: boolean; readonly basePath: string | undefined },
  elsewhere: Handler,
): Handler {
  return (request, response) => {
    const path = pathOf(request.url)
    const isControl = path === '/_mock' || path.startsWith('/_mock/')
    // Clients of the API do not ask for HTML.
    const isBrowser = path === '/' && request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (!isControl && !isBrowser && !HEALTH_PATHS.includes(path)) {
      const address = readAddress(path, basePath)
      const isCall = !hasHandlers || routeOf('POST', address.path).endpoint !== 'unknown'
      if (isCall) return serve(serving, request, response, address)
    }
    watchUnread(serving.unread, response)
    // A client that has sent FIN counts as gone: watchers of the control plane would else stay until they are written to.
    const leave = (): void => void response.destroy()
    request.socket.once('end', leave)
    response.once('close', () => request.socket.off('end', leave))
    // Express and fetch would parse an absolute URL again, and fail on an invalid host in it.
    request.url = toOriginForm(request.url)
    elsewhere(request, response)
  }
}

/** The path of a request line, without the query. */
export function pathOf(url?: string): string {
  const path = url?.startsWith('/') ? url : toOriginForm(url)
  const end = path.search(/[?#]/)
  return end < 0 ? path : path.slice(0, end)
}

/** The path and query of a request line. Proxies send an absolute URL: `http://host/v1?a` -> `/v1?a`. */
const toOriginForm = (url = '/'): string => (url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/')
