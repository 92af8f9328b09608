/** Starts a server at a port and host; when they are not available, the error says what to do. */
import type { AddressInfo, Server } from 'node:net'
import { MockError } from '../core/protocol/errors/mock-error.ts'

/** The port and host of a server. */
export interface ListenPlace {
  readonly port: number
  readonly host: string
}

/** Starts listening. @throws MockError `cannot-listen` when the address is not available; the message says what to do. */
export async function bind(server: Server, place: ListenPlace): Promise<AddressInfo> {
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
