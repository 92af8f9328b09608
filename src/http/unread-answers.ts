/**
 * Bounds the memory of answers that clients do not read.
 *
 * Such an answer stops being written when its socket is full, and is then counted here. Beyond the bound, the connections
 * whose sockets have accepted nothing for longest are reset.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from '../engine/index.ts'

const DEFAULT_LIMIT = 256_000_000

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

  /** @param limit the most bytes of all waiting answers. Default: 256,000,000. */
  constructor(limit = DEFAULT_LIMIT) {
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
        answer.drop(noteOf(this.#limit))
      }
      socket.resetAndDestroy()
    }
  }
}

const noteOf = (limit: number): string =>
  `The connection was reset, because its client did not read the answer: unread answers may take ${limit} bytes over all connections.`

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
