/**
 * The HTTP server in front of a mock, whether it is alone or has workers: which plane a call belongs to, and an answer
 * to what is no call.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import { type ApiError, apiError, envelope } from '../core/errors/catalogue.ts'
import { routeOf } from '../core/request/route.ts'
import { createServer } from './node-http.ts'
import { type Planner, serve } from './play-http.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

// On the socket itself, as every call passes here and a map of sockets would cost each of them.
const ANSWER = Symbol('the answer on its way')
type AnsweringSocket = Socket & { [ANSWER]?: ServerResponse }

/** A server that has yet to listen. */
export function createHttpServer(handle: Handler): Server {
  // Without a Host, or with an expectation nobody can meet, a call is still a call.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    ;(request.socket as AnsweringSocket)[ANSWER] = response
    handle(request, response)
  })
  server.on('checkExpectation', handle)
  // What is no HTTP gets the envelope too.
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = (socket as AnsweringSocket)[ANSWER]
    const isBusy = response?.headersSent === true && !response.writableFinished && !response.destroyed
    if (isBusy) response.once('finish', () => socket.destroySoon())
    else if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else refuse(socket, '400 Bad Request', apiError('invalid-json'))
  })
  server.on('connect', (_, socket: Socket) => {
    refuse(socket, '405 Method Not Allowed', apiError('wrong-method', { allow: 'POST' }))
  })
  return server
}

/**
 * Answers calls on the data plane at once, and leaves the others to `elsewhere`: the control plane, and where the user
 * has handlers every path that the mock does not know.
 */
export function routerOf(planner: Planner, hasHandlers: boolean, elsewhere: Handler): Handler {
  return (request, response) => {
    const path = pathOf(request.url)
    const isControl = path === '/_mock' || path.startsWith('/_mock/')
    const isOurs = !isControl && (!hasHandlers || routeOf('POST', path).endpoint !== 'unknown')
    if (isOurs) return serve(planner, request, response, path)
    // Express and fetch would read the absolute form anew, and stumble over a host in it that is none.
    request.url = originForm(request.url)
    elsewhere(request, response)
  }
}

/** The path and the query of a request line, also of the absolute form that proxies send. */
const originForm = (url = '/'): string => (url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/')

/** The path of a request line, without the query. */
export function pathOf(url?: string): string {
  const path = originForm(url)
  const end = path.search(/[?#]/)
  return end < 0 ? path : path.slice(0, end)
}

/** An answer for what failed in the server itself. */
export function answerFailure(response: ServerResponse, message: string): void {
  if (response.headersSent) return void response.destroy()
  const body = JSON.stringify(envelope(message, 'server_error'))
  response.writeHead(500, { 'content-type': 'application/json' }).end(body)
}

/** Answers on the bare socket, and closes it. */
function refuse(socket: Socket, status: string, { body: error, headers }: ApiError): void {
  const body = JSON.stringify(envelope(error.message, error.type, error))
  const lines = Object.entries({ ...headers, 'content-type': 'application/json', connection: 'close' })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.on('error', () => {})
  socket.write(`HTTP/1.1 ${status}\r\n${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  socket.destroySoon()
}

/** Where a server listens. */
export interface Place {
  readonly port: number
  readonly host: string
}

/** What listens, with or without workers. */
export interface Listening {
  readonly address: AddressInfo
  close(graceMs: number): Promise<void>
}

/** @throws when the place can't be had; the message says what to do. */
export async function bind(server: NetServer, place: Place): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new Error(listenProblem(error, place.host, place.port))))
    server.listen({ port: place.port, host: place.host }, resolve)
  })
  return server.address() as AddressInfo
}

export function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program. Stop it, or choose another port: --port ${port === 65535 ? 4010 : port + 1} (0 for any free one).`
    case 'EACCES':
      return `Port ${port} on ${host} may not be used by this user. Choose a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Host '${host}' is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all its addresses.`
    default:
      return `Failed to listen on ${host}:${port}: ${error.message}`
  }
}

const IDLE_CHECK_MS = 20

export async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (graceMs === 0) server.closeAllConnections()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // A kept-alive connection becomes idle when its answer is out, and would hold the server open until it times out.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS)
  const limit = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearInterval(sweep)
  clearTimeout(limit)
}
