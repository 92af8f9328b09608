/** The connections of a server: how they are closed without losing a request that is on its way. */

import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { MAX_TIMER_MS } from '../engine/index.ts'
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from '../engine/node.ts'

/** The time between two looks for connections to close. */
const SWEEP_MS = 20
/** The sweeps without a request after which idle connections are closed: busy clients have sent their next one by then. */
const QUIET_SWEEPS = 15
/** The turns of the event loop without a new connection after which the kernel holds none that a server has to take. */
const QUIET_TURNS = 2
/** The most turns to wait for that: new connections may come in every turn. */
const MAX_TURNS = 20

// Properties of the socket, because a map of sockets would cost every call.
/** The responses to the last request on a connection, and to the one before it while it is under way. `Connections` sets both. */
const LAST_RESPONSE = Symbol('last response')
const PREVIOUS_RESPONSE = Symbol('previous response')
/** Set if the next call on the connection is not answered: the connection is reset. */
export const IS_STALE = Symbol('is stale')
/** Set if the server has broken the connection because it closes. */
export const IS_CUT = Symbol('is cut')
export type ServerSocket = Socket & {
  [LAST_RESPONSE]?: ServerResponse
  [PREVIOUS_RESPONSE]?: ServerResponse | undefined
  [IS_STALE]?: true
  [IS_CUT]?: true
}

/** The response to the last request on a connection. */
export const lastResponseOf = (socket: Socket): ServerResponse | undefined => (socket as ServerSocket)[LAST_RESPONSE]

/**
 * Calls `run` once the answer to the last whole request on a connection has ended, or at once if none is under way. Clients
 * take answers in the order of their requests, so an answer to what follows must not come before.
 */
export function afterOpenResponse(socket: ServerSocket, run: () => void): void {
  const last = socket[LAST_RESPONSE]
  const response = last?.req.complete === false ? socket[PREVIOUS_RESPONSE] : last
  if (response === undefined || hasEnded(response)) run()
  else response.once('close', run)
}

export const hasEnded = (response: ServerResponse): boolean => response.writableFinished || response.destroyed

/** Tracks the connections of a server, to close it without losing requests. Made before the server listens. */
export class Connections {
  readonly #server: Server
  readonly #open = new Set<Socket>()
  /** True once every answer says `connection: close`: from `drain` on. */
  #isClosing = false
  /** The number of connections since the start. */
  #accepted = 0
  // Of the sweeps that close idle connections: the bytes that the open connections had received at the last one, and the
  // number of sweeps in a row in which nothing was received.
  #received = 0
  #quietSweeps = 0

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#accepted++
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
    const begin = (_: unknown, response: ServerResponse): void => {
      const socket: ServerSocket = response.req.socket
      const last = socket[LAST_RESPONSE]
      socket[PREVIOUS_RESPONSE] = last === undefined || hasEnded(last) ? undefined : last
      socket[LAST_RESPONSE] = response
      if (this.#isClosing) response.shouldKeepAlive = false
    }
    for (const event of ['request', 'checkExpectation']) server.prependListener(event, begin)
  }

  /** Lets each connection end with its next answer, which says `connection: close`; the server still accepts new ones. */
  drain(): void {
    this.#isClosing = true
    for (const socket of this.#open) {
      const response = lastResponseOf(socket)
      if (response?.headersSent === false) response.shouldKeepAlive = false
    }
  }

  /**
   * Closes idle connections once nothing has been received on any connection for a while: a pool may send its next request
   * on a connection that has been idle for long.
   */
  #closeIdle(): void {
    let received = 0
    for (const { bytesRead } of this.#open) received += bytesRead
    this.#quietSweeps = received === this.#received ? this.#quietSweeps + 1 : 0
    this.#received = received
    if (this.#quietSweeps < QUIET_SWEEPS) return
    for (const socket of this.#open) {
      const response = lastResponseOf(socket)
      if (response === undefined || hasEnded(response)) socket.destroySoon()
    }
  }

  #cutAll(): void {
    for (const socket of this.#open as ReadonlySet<ServerSocket>) {
      socket[IS_CUT] = true
      socket.destroy()
    }
  }

  /**
   * Stops accepting connections, and closes the open ones after `graceMs` at the latest.
   *
   * Until then, requests that arrive on open connections are answered with `connection: close`. Idle connections are closed
   * when no request has come for 300 ms, because one may be on its way.
   */
  async close(graceMs: number): Promise<void> {
    const server = this.#server
    // Closing the port resets the connections that the kernel has accepted and Node has not taken, so wait for these.
    for (let turn = 0, quietTurns = 0; turn < MAX_TURNS && quietTurns < QUIET_TURNS; turn++) {
      const before = this.#accepted
      await new Promise((resolve) => setImmediate(resolve))
      quietTurns = this.#accepted === before ? quietTurns + 1 : 0
    }
    const closed = new Promise<void>((resolve) => {
      // That of http.Server would destroy idle connections at once.
      NetServer.prototype.close.call(server, () => resolve())
    })
    // Not before: all clients would connect again at this moment.
    this.drain()
    if (graceMs === 0) this.#cutAll()
    // After the next poll, so that what has arrived while the process was busy is read first.
    const sweep = setInterval(() => setImmediate(() => this.#closeIdle()), SWEEP_MS)
    const limit = setTimeout(() => this.#cutAll(), Math.min(graceMs, MAX_TIMER_MS))
    await closed
    clearInterval(sweep)
    clearTimeout(limit)
    // Node tells the connections, and so the responses on them, after the server.
    await Promise.all([...this.#open].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    // Stops the timer of http.Server.
    server.close()
  }
}
