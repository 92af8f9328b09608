/**
 * The HTTP server of a mock, without its routes. Node would drop or refuse some requests itself; here the mock answers them:
 *
 *     no Host, `Expect: a miracle`, `Upgrade: h2c`       answered like any other request
 *     two Hosts, CONNECT, bytes that are not HTTP        refused in the error envelope of the API
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { apiError } from '../core/protocol/errors/error-catalogue.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { afterOpenResponse } from './connections.ts'
import { REQUEST_MS, refuseBytes } from './refuse-bytes.ts'
import { refuseRequest, sendBug, sendSocketError } from './send-error.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

const OPTIONS = {
  requireHostHeader: false,
  // Clients pool idle connections for 30 to 90 s, and do not send a POST again that was lost with one.
  keepAliveTimeout: 120_000,
  requestTimeout: REQUEST_MS,
  connectionsCheckingInterval: 5000,
  // From Node 26 on, the listener of `upgrade` gets no socket with a body.
  shouldUpgradeCallback: ({ headers }: IncomingMessage) =>
    Number.parseInt(process.versions.node, 10) < 26 ||
    (headers['content-length'] ?? headers['transfer-encoding']) === undefined,
}

export const REPEATED_HOST = 'The request has more than one Host header. Send exactly one.'

/** @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
export function hasRepeatedHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

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
  // An import of node:http would read every export: one of them loads a whole client in Node 22 and later.
  const server = process.getBuiltinModule('node:http').createServer(OPTIONS, receive)
  // Lets a client that has sent FIN read its answer. Node has had this property since 0.5, but does not document it.
  Object.assign(server, { httpAllowHalfOpen: true })
  // A request with an unknown `Expect` header.
  server.on('checkExpectation', receive)
  server.on('upgrade', (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    afterOpenResponse(socket, () => receiveWithoutUpgrade(server, request, socket, rest))
  })
  server.on('connect', (_, socket: Socket) => {
    sendSocketError(socket, '405 Method Not Allowed', apiError('wrong-method', { allow: 'POST' }))
  })
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    afterOpenResponse(socket, () => refuseBytes(socket, code))
  })
  return server
}

/**
 * Receives a request to switch protocols as one without the header `upgrade`. Without a listener, Node would drop the bytes
 * that come with it, such as the next request.
 */
function receiveWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, rest: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.toLowerCase() !== 'upgrade') head += `${name}: ${rawHeaders[index + 1]}\r\n`
  }
  // As if the client had connected just now, and had sent the new head.
  socket.unshift(Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), rest]))
  server.emit('connection', socket)
}

/** Starts listening. @throws MockError `cannot-listen` when the address is not available; the message says what to do. */
export async function bind(server: Server, port: number, host: string): Promise<AddressInfo> {
  const problemOf = ({ code, message }: NodeJS.ErrnoException): string => {
    switch (code) {
      case 'EADDRINUSE':
        return `Port ${port} on ${host} is in use. Stop the other program, or choose another port (0 for any free port).`
      case 'EACCES':
        return `Port ${port} on ${host} needs more rights than this user has. Choose a port above 1023.`
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        return `Host '${host}' is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all its addresses.`
      default:
        return `Failed to listen on ${host}:${port}: ${message}`
    }
  }
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new MockError('cannot-listen', problemOf(cause), { cause })))
    server.listen({ port, host }, resolve)
  })
  return server.address() as AddressInfo
}
