/**
 * Bounds the memory of answers that clients do not read, and of large requests.
 *
 * An unread answer stops being written when its socket is full, and is then counted here. Beyond the bound, the connections
 * whose sockets have accepted nothing for longest are reset.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { clearInterval, setImmediate, setInterval } from '../engine/node.ts'
import { refuseRequest } from './send-error.ts'

/** The bounds are shares of the heap, so that a small one, such as that of a container, is not filled. */
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
 * Bounds the memory of large requests and their plans by what has arrived: an announced length takes no room.
 *
 * Beyond the bound, only the request that came first is read, and that only while no other is being decided or answered. The
 * clients of the others stop sending. Small requests never wait. Uploads that have stalled are refused while others wait.
 */

/** A short word takes 5 bytes of a request, and up to 120 of the plan that echoes it. */
const MAX_LARGE_BYTES = Math.min(64_000_000, HEAP_BYTES / 64)
/** Up to this many bytes, a request never waits. */
const MAX_SMALL_BYTES = 4096
/** Time without a byte after which an upload has stalled. */
const STALL_MS = 5000
/** Silence is counted in checks, not in time: data may wait for an event loop that was busy. */
const STALL_CHECKS = 5
const STALLED = `The request did not arrive in time. Nothing came for ${STALL_MS / 1000} seconds, and other requests wait for its room.`

/** A request whose body has not arrived. */
interface Upload {
  /** The checks in a row for which nothing came, although it was read. */
  silentChecks: number
  refuse(): void
}

/** The room of a large request in memory. */
export interface RequestRoom {
  /** Called when the body has arrived. */
  receive(): void
  /** Called when the request was decided, and when its plan goes on after the client has read: the plan takes the room. */
  hold(planBytes: number): void
  /** Called when the answer is sent, or waits for its time. */
  release(): void
}

/** True if a request may take room: its body is longer than a small one, or its length is not known. */
export function isLarge({ headers }: IncomingMessage, maxBytes: number, smallBytes = MAX_SMALL_BYTES): boolean {
  const length = Number(headers['content-length'] ?? 0)
  // A body that is too large is refused unread.
  return headers['transfer-encoding'] !== undefined || (length > smallBytes && length <= maxBytes)
}

export class LargeRequests {
  readonly #limit: number
  readonly #stallMs: number
  /** The requests whose bodies have not arrived, in order of arrival. */
  readonly #reading = new Map<IncomingMessage, Upload>()
  #checking: ReturnType<typeof setInterval> | undefined
  #bytes = 0
  /** The part of requests that have arrived, and of their plans: it becomes free without more to read. */
  #heldBytes = 0
  #isFull = false

  /**
   * @param limit the most bytes of large requests that are being read, decided and answered. Default: a 64th of the heap, at most 64,000,000.
   * @param stallMs the time without a byte after which an upload is refused while others wait. Default: 5000.
   */
  constructor(limit = MAX_LARGE_BYTES, stallMs = STALL_MS) {
    this.#limit = limit
    this.#stallMs = stallMs
  }

  /** Counts what arrives of a request, and lets it wait while there is no room. */
  admit(request: IncomingMessage, response: ServerResponse): RequestRoom {
    let bytes = 0
    let isHere = true
    let isHeld = false
    const take = (more: number): void => {
      bytes += more
      this.#bytes += more
      if (isHeld) this.#heldBytes += more
      this.#update()
    }
    const release = (): void => {
      if (!isHere) return
      isHere = false
      // The rest of a body that is too large is discarded.
      if (this.#reading.delete(request)) request.resume()
      take(-bytes)
    }
    const upload: Upload = {
      silentChecks: 0,
      refuse: () => {
        release()
        request.pause()
        refuseRequest(response, STALLED, 408)
      },
    }
    this.#reading.set(request, upload)
    this.#checking ??= setInterval(() => this.#refuseStalled(), this.#stallMs / STALL_CHECKS).unref()
    if (this.#isFull) this.#update()
    request.on('data', ({ length }: Buffer) => {
      upload.silentChecks = 0
      if (isHere && !isHeld) take(length)
    })
    // A body that has arrived stays in memory until its call is decided, even if its client leaves before.
    response.once('close', () => {
      if (!isHeld) release()
    })
    return {
      receive: () => {
        if (this.#reading.delete(request)) request.resume()
        isHeld = true
        this.#heldBytes += bytes
        this.#update()
      },
      hold: (planBytes) => {
        if (isHere) take(planBytes - bytes)
      },
      release,
    }
  }

  /** Makes room for the uploads that wait. */
  #refuseStalled(): void {
    if (this.#reading.size === 0) {
      clearInterval(this.#checking)
      this.#checking = undefined
    }
    for (const [request, upload] of this.#reading) if (!request.isPaused()) upload.silentChecks++
    if (!this.#isFull || this.#reading.size < 2) return
    for (const { silentChecks, refuse } of [...this.#reading.values()]) if (silentChecks >= STALL_CHECKS) refuse()
  }

  /** Pauses and resumes requests. */
  #update(): void {
    const wasFull = this.#isFull
    this.#isFull = this.#bytes > this.#limit
    if (!this.#isFull && !wasFull) return
    let mayRead = !this.#isFull || this.#heldBytes === 0
    for (const request of this.#reading.keys()) {
      if (!mayRead) request.pause()
      else if (request.isPaused()) request.resume()
      if (this.#isFull) mayRead = false
    }
  }
}
