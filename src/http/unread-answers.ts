/**
 * Bounds the memory of answers that clients do not read.
 *
 * An unread answer stops being written when its socket is full, and is then counted here. Beyond the bound, the connections
 * whose sockets have accepted nothing for longest are reset.
 */

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { setImmediate } from '../engine/node.ts'

/** A share of the heap, so that a small one, such as that of a container, is not filled. */
const MAX_UNREAD_BYTES = Math.min(256_000_000, getHeapStatistics().heap_size_limit / 8)

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
  /** The memory of all waiting answers. */
  #bytes = 0
  /** True if `#dropSlowest` runs in the next turn of the event loop. */
  #isCheckPlanned = false

  /** @param limit the most bytes of all waiting answers. Default: an eighth of the heap, at most 256,000,000. */
  constructor(limit = MAX_UNREAD_BYTES) {
    this.#limit = limit
  }

  /** Counts an answer that has to wait, because its socket is full. */
  add(answer: UnreadAnswer): void {
    const answers = this.#waiting.get(answer.socket)
    if (answers === undefined) this.#waiting.set(answer.socket, new Set([answer]))
    else answers.add(answer)
    this.#bytes += answer.bytes
    if (this.#bytes <= this.#limit || this.#isCheckPlanned) return
    // In the next turn of the event loop, because many sockets take more data before that.
    this.#isCheckPlanned = true
    setImmediate(() => this.#dropSlowest())
  }

  /** Ends the wait of an answer: its socket has accepted data, or is closed. Does nothing for one that does not wait. */
  delete(answer: UnreadAnswer): void {
    const answers = this.#waiting.get(answer.socket)
    if (answers?.delete(answer) !== true) return
    this.#bytes -= answer.bytes
    // Last in the order, because its socket has just accepted data.
    this.#waiting.delete(answer.socket)
    if (answers.size > 0) this.#waiting.set(answer.socket, answers)
  }

  #dropSlowest(): void {
    this.#isCheckPlanned = false
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

/** Counts what its client has not read of an answer that is written at once, such as those of the control plane. */
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
