/** The server: both planes on one port. The data plane is served at once; the control plane is loaded at first use. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type ApiError, apiError, envelope } from '../core/errors.ts'
import { serve } from './data-plane.ts'
import { EventLoopLag } from './event-loop-lag.ts'
import type { ListenOptions } from './listen-options.ts'
import type { Mock } from './mock.ts'

/** A running server. */
export interface MockServer {
  /** The base URL for clients; ends in `/v1`. */
  readonly url: string
  /** Where the control plane is; ends in `/_mock`. */
  readonly controlUrl: string
  readonly port: number
  /** Takes no new calls, lets those in flight finish for `graceMs` (default 2,000), then closes. */
  close(graceMs?: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

// On the socket itself, as every call passes here and a map of sockets would cost each of them.
const ANSWER = Symbol('the answer on its way')
type AnsweringSocket = Socket & { [ANSWER]?: ServerResponse }

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Serves a mock over HTTP.
 * @throws when the port is taken or the address is none of this machine; the message says what to do.
 * @example await using server = await listen(mock, { port: 0 })
 */
export async function listen(mock: Mock, options: ListenOptions = {}): Promise<MockServer> {
  const { port = 4010, host = '127.0.0.1' } = options
  const closing = new AbortController()
  const route = router(mock, options, closing.signal)
  const lag = new EventLoopLag()
  mock.timing.watchLoop(lag)
  // Without a Host, or with an expectation nobody can meet, a call is still a call.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    ;(request.socket as AnsweringSocket)[ANSWER] = response
    route(request, response)
  })
  server.on('checkExpectation', route)
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(listenProblem(error, host, port))))
    server.listen({ port, host }, resolve)
  })

  const address = server.address() as AddressInfo
  const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const origin = `http://${shownHost === '0.0.0.0' || shownHost === '[::]' ? '127.0.0.1' : shownHost}:${address.port}`
  const close = (graceMs = 2000): Promise<void> => {
    closing.abort()
    return closeServer(server, graceMs).finally(() => lag.stop())
  }
  return {
    url: `${origin}/v1`,
    controlUrl: `${origin}/_mock`,
    port: address.port,
    close,
    [Symbol.asyncDispose]: () => close(0),
  }
}

/**
 * The data plane as Express (or Connect) middleware: `app.use(middleware(mock))`. Mounted at the root it answers
 * what is under `/v1` and passes everything else on; mounted at a path ending in `/v1` it answers all below that.
 */
export function middleware(mock: Mock): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  return (request, response, next) => {
    const { baseUrl = '' } = request as IncomingMessage & { baseUrl?: string }
    const path = pathOf(request.url)
    const whole = /\/v1$/.test(baseUrl) ? `/v1${path}` : path
    if (whole.startsWith('/v1/')) serve(mock, request, response, whole)
    else next()
  }
}

function router(mock: Mock, options: ListenOptions, closing: AbortSignal): Handler {
  let controlPlane: Promise<Handler> | undefined
  const loadControlPlane = async (): Promise<Handler> => {
    const { createControlPlane } = await import('./control-plane.ts')
    return createControlPlane(mock, options, closing)
  }
  const { handlers } = options
  return (request, response) => {
    const path = pathOf(request.url)
    const isKnown =
      path.startsWith('/v1/chat/completions') || path === '/v1/embeddings' || path.startsWith('/v1/models')
    const isControl = path === '/_mock' || path.startsWith('/_mock/')
    if (isKnown || (!isControl && handlers === undefined)) return serve(mock, request, response, path)
    // Express and fetch would read the absolute form anew, and stumble over a host in it that is none.
    request.url = originForm(request.url)
    controlPlane ??= loadControlPlane()
    controlPlane.then(
      (handle) => handle(request, response),
      (error: Error) => answerFailure(response, error),
    )
  }
}

/** The path and the query of a request line, also of the absolute form that proxies send. */
const originForm = (url = '/'): string => (url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/')

/** The path of a request line, without the query. */
function pathOf(url?: string): string {
  const path = originForm(url)
  const end = path.search(/[?#]/)
  return end < 0 ? path : path.slice(0, end)
}

function answerFailure(response: ServerResponse, error: Error): void {
  const body = envelope(`The control plane could not be loaded: ${error.message}`, 'server_error')
  response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify(body))
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
