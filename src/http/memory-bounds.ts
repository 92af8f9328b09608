/**
 * Bounds the memory of answers that clients do not read, and of large requests.
 *
 * An unread answer stops being written when its socket is full, and is then counted here. Beyond the bound, the connections
 * whose sockets have accepted nothing for longest are reset.
 */

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { setImmediate } from '../engine/node.ts'

/** The bounds are shares of the heap, so that a small one (`--max-old-space-size`, a container) is not filled. */
const HEAP_BYTES = getHeapStatistics().heap_size_limit
const MAX_UNREAD_BYTES = Math.min(256_000_000, HEAP_BYTES / 8)

/** An answer that waits for its client to read. */
export interface UnreadAnswer {
  readonly socket: Socket
  /** The memory that it holds. */
  readonly bytes: number
  /** Called when its connection is reset because of the bound. */
  drop(note: string): void
}

export class UnreadAnswers {
  readonly #limit: number
  /** The waiting answers of each connection; the connection that accepted data last comes last. */
  readonly #waiting = new Map<Socket, Set<UnreadAnswer>>()
  #bytes = 0
  #isChecking = false

  /** @param limit the most bytes of all waiting answers. Default: an eighth of the heap, at most 256,000,000. */
  constructor(limit = MAX_UNREAD_BYTES) {
    this.#limit = limit
  }

  /** The answer has to wait: its socket is full. */
  add(answer: UnreadAnswer): void {
    const answers = this.#waiting.get(answer.socket)
    if (answers === undefined) this.#waiting.set(answer.socket, new Set([answer]))
    else answers.add(answer)
    this.#bytes += answer.bytes
    if (this.#bytes <= this.#limit || this.#isChecking) return
    // In the next turn of the event loop, because many sockets take more data before that.
    this.#isChecking = true
    setImmediate(() => this.#dropSlowest())
  }

  /** The socket of the answer has accepted data, or is closed. Does nothing for an answer that does not wait. */
  delete(answer: UnreadAnswer): void {
    const answers = this.#waiting.get(answer.socket)
    if (answers?.delete(answer) !== true) return
    this.#bytes -= answer.bytes
    this.#waiting.delete(answer.socket)
    if (answers.size > 0) this.#waiting.set(answer.socket, answers)
  }

  #dropSlowest(): void {
    this.#isChecking = false
    for (const [socket, answers] of this.#waiting) {
      if (this.#bytes <= this.#limit) return
      this.#waiting.delete(socket)
      for (const answer of answers) {
        this.#bytes -= answer.bytes
        answer.drop(
          `The connection was reset, because its client did not read the answer: unread answers may take ${this.#limit} bytes over all connections.`,
        )
      }
      socket.resetAndDestroy()
    }
  }
}

/** Counts an answer that is written without regard to its reader, such as those of the control plane. */
export function watchUnread(unread: UnreadAnswers, response: ServerResponse): void {
  const { socket } = response.req
  response.once('prefinish', () => {
    const bytes = response.writableLength
    if (bytes === 0) return
    const answer: UnreadAnswer = { socket, bytes, drop: () => {} }
    unread.add(answer)
    response.once('close', () => unread.delete(answer))
  })
}

/*
 * Bounds the memory of large requests and their plans: beyond the bound, the next request is not read until others are answered,
 * or their answers wait.
 *
 * Small requests never wait. A request that waits is not read, so its client stops sending.
 */

/** A short word takes 5 bytes of a request, and up to 120 of the plan that echoes it. */
const MAX_LARGE_BYTES = Math.min(64_000_000, HEAP_BYTES / 64)
/** Up to this many bytes, a request never waits. */
const MAX_SMALL_BYTES = 4096

/** The room of a large request in memory. */
export interface RequestRoom {
  /** Called when the body has arrived. */
  receive(): void
  /** Called when the request was decided, and when its plan goes on after the client has read: the plan takes the room. */
  hold(planBytes: number): void
  /** Called when the answer is sent, or waits for its time. */
  release(): void
}

export class LargeRequests {
  readonly #limit: number
  /** The requests that are not read yet, in order of arrival. */
  readonly #waiting = new Set<{ readonly bytes: number; readonly read: () => void }>()
  #bytes = 0

  /** @param limit the most bytes of large requests that are being read, decided and answered. Default: a 64th of the heap, at most 64,000,000. */
  constructor(limit = MAX_LARGE_BYTES) {
    this.#limit = limit
  }

  /**
   * Calls `read` when there is room for the request: at once for a small one. `read` gets the room that the request has,
   * unless it is small.
   * @param maxBytes the largest body that is read.
   */
  admit(response: ServerResponse, maxBytes: number, read: (room?: RequestRoom) => void): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = response.req.headers
    const known = Number(length ?? 0)
    // As much as is allowed where the length is not known, and none where the body is refused unread.
    let bytes = encoding !== undefined ? maxBytes : known > maxBytes ? 0 : known
    if (bytes <= MAX_SMALL_BYTES) return read()
    let isHere = true
    const leave = (): void => {
      if (!isHere) return
      isHere = false
      if (!this.#waiting.delete(entry)) this.#bytes -= bytes
      this.#readNext()
    }
    let isReceived = false
    const room: RequestRoom = {
      receive() {
        isReceived = true
      },
      hold: (planBytes) => {
        if (!isHere) return
        this.#bytes += planBytes - bytes
        bytes = planBytes
        this.#readNext()
      },
      release: leave,
    }
    const entry = { bytes, read: () => read(room) }
    // A body that has arrived stays in memory until its call is decided, even if its client leaves before.
    response.once('close', () => {
      if (!isReceived) leave()
    })
    this.#waiting.add(entry)
    this.#readNext()
  }

  #readNext(): void {
    for (const entry of this.#waiting) {
      if (this.#bytes > 0 && this.#bytes + entry.bytes > this.#limit) return
      this.#waiting.delete(entry)
      this.#bytes += entry.bytes
      entry.read()
    }
  }
}
