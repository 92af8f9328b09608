/** The HTTP server of a mock: routes requests to a plane, and answers what is not valid HTTP. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { apiError } from '../core/protocol/errors/error-catalogue.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { readAddress } from '../core/protocol/request/address.ts'
import { routeOf } from '../core/protocol/request/endpoint-route.ts'
import { hasEnded, lastResponseOf, openResponseOf, trackConnections } from './connections.ts'
import type { Serving } from './play-http.ts'
import { hasRepeatedHost, REPEATED_HOST, refuseRequest, requestError, sendBug, sendSocketError } from './send-error.ts'
import { serve } from './serve.ts'
import { watchUnread } from './unread-answers.ts'

/** Node:http without an import, which would read every export: one of them loads a whole client in Node 22 and later. */
const { createServer, maxHeaderSize } = process.getBuiltinModule('node:http')

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Clients pool idle connections for 30 to 90 s, and do not send a POST again that was lost with one. */
const KEEP_ALIVE_MS = 120_000
const HEAD_TOO_LARGE = requestError(
  `The head of the request is too large. Expected at most ${maxHeaderSize} bytes for the request line and all headers.`,
)

/** Time within which a whole request has to arrive, and how often it is checked. */
const REQUEST_MS = 60_000
const CHECK_MS = 5000
const TOO_LATE = requestError(
  `The request did not arrive in time. Expected its head and its body within ${REQUEST_MS / 1000} seconds.`,
)

/** Creates a server that does not listen yet. */
export function createHttpServer(handle: Handler): Server {
  const receive: Handler = (request, response) => {
    if (hasRepeatedHost(request)) return refuseRequest(response, REPEATED_HOST)
    try {
      handle(request, response)
    } catch (error) {
      sendBug(response, error)
    }
  }
  const options = {
    // Requests without a Host are answered like others.
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
    // From Node 26 on, the listener of `upgrade` gets no socket with a body.
    shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
      Number.parseInt(process.versions.node, 10) < 26 ||
      (headers['content-length'] ?? headers['transfer-encoding']) === undefined,
  }
  const server = createServer(options, receive)
  trackConnections(server)
  // Lets a client that has sent FIN read its answer. Node has had this property since 0.5, but does not document it.
  Object.assign(server, { httpAllowHalfOpen: true })
  // Requests with an unknown Expect header are answered like others.
  server.on('checkExpectation', receive)
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') refuseBytes(socket, error)
    else afterOpenResponse(socket, () => refuseBytes(socket, error))
  })
  // Without this listener, Node drops what comes with a request to switch protocols, such as the next request.
  server.on('upgrade', (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    afterOpenResponse(socket, () => {
      socket.unshift(Buffer.concat([Buffer.from(headWithoutUpgrade(request), 'latin1'), rest]))
      server.emit('connection', socket)
    })
  })
  server.on('connect', (_, socket: Socket) => {
    sendSocketError(socket, '405 Method Not Allowed', apiError('wrong-method', { allow: 'POST' }))
  })
  return server
}

/** Calls `run` when the answer that is under way on a connection is sent, or at once without one. */
function afterOpenResponse(socket: Socket, run: () => void): void {
  const response = openResponseOf(socket)
  if (response === undefined) run()
  else response.once('close', run)
}

/** The head of a request as it was sent, without the header `upgrade`: the server does not switch protocols. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.toLowerCase() !== 'upgrade') head += `${name}: ${rawHeaders[index + 1]}\r\n`
  }
  return `${head}\r\n`
}

/** Refuses bytes that are not HTTP, and closes their connection. */
function refuseBytes(socket: Socket, { code }: NodeJS.ErrnoException): void {
  const response = lastResponseOf(socket)
  const hasBegun = response?.headersSent === true && !hasEnded(response)
  if (hasBegun) return void response.once('finish', () => socket.destroySoon())
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      // The rest of a request that was answered before it had arrived.
      const isAnswered = response?.req.complete === false && hasEnded(response)
      if (isAnswered) socket.destroy()
      else sendSocketError(socket, '408 Request Timeout', TOO_LATE)
      break
    }
    case 'HPE_HEADER_OVERFLOW':
      sendSocketError(socket, '431 Request Header Fields Too Large', HEAD_TOO_LARGE)
      break
    default:
      sendSocketError(socket, '400 Bad Request', apiError('invalid-json'))
  }
}

/** The path of the page. */
const PAGE = '/_mock/'
/** Paths that orchestrators and test runners probe. A user's own handlers come first. */
export const HEALTH_PATHS = ['/health', '/ready']

/**
 * Serves data-plane calls, and hands all others to `elsewhere`: those of the control plane, health probes and, when the
 * user has handlers, those to unknown paths.
 */
export function createRouter(
  serving: Serving,
  { hasHandlers, basePath }: { readonly hasHandlers: boolean; readonly basePath: string | undefined },
  elsewhere: Handler,
): Handler {
  return (request, response) => {
    const path = pathOf(request.url)
    const isControl = path === '/_mock' || path.startsWith('/_mock/')
    if (path === '/' && !hasHandlers) {
      // A person opened the address: clients of the API do not ask for HTML.
      const isPerson = request.method === 'GET' && request.headers.accept?.includes('text/html')
      if (isPerson) return void response.writeHead(303, { location: PAGE }).end()
    }
    if (!isControl && !HEALTH_PATHS.includes(path)) {
      const address = readAddress(path, basePath)
      const isOurs = !hasHandlers || routeOf('POST', address.path).endpoint !== 'unknown'
      if (isOurs) return serve(serving, request, response, address)
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

/** The path and query of a request line; proxies send an absolute URL. */
const toOriginForm = (url = '/'): string => (url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/')

/** The path of a request line, without the query. */
export function pathOf(url?: string): string {
  const path = url?.startsWith('/') ? url : toOriginForm(url)
  const end = path.search(/[?#]/)
  return end < 0 ? path : path.slice(0, end)
}

/** The port and host of a server. */
export interface ListenPlace {
  readonly port: number
  readonly host: string
}

/** Starts listening. @throws MockError `cannot-listen` when the address is not available; the message says what to do. */
export async function bind(server: NetServer, place: ListenPlace): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new MockError('cannot-listen', listenProblem(cause, place), { cause })))
    server.listen({ port: place.port, host: place.host }, resolve)
  })
  return server.address() as AddressInfo
}

/** The reason why listening failed, and the remedy. */
function listenProblem(error: NodeJS.ErrnoException, { host, port }: ListenPlace): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the other program, or choose another port (0 for any free port).`
    case 'EACCES':
      return `Port ${port} on ${host} needs more rights than this user has. Choose a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Host '${host}' is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all its addresses.`
    default:
      return `Failed to listen on ${host}:${port}: ${error.message}`
  }
}
