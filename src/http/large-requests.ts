/**
 * Bounds the memory of large requests and their plans.
 *
 *     admit       a request of 40 MB begins       it takes no room yet: only what has arrived counts
 *     receive     its body has arrived            40 MB
 *     hold        it is decided                   the memory of its plan, in place of the body
 *     release     the answer is sent              0
 *
 * While there is room, all uploads are read. Beyond the bound,
 *
 * - nothing is read while another large request is being decided or answered, because its end makes room;
 * - otherwise only the upload that came first is read, so that one goes on;
 * - the others wait: their clients stop sending. One that has stalled is refused.
 *
 * Small requests never wait.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import { getHeapStatistics } from 'node:v8'
import { clearInterval, setInterval } from '../engine/node.ts'
import { refuseRequest } from './send-error.ts'

/** A small share of the heap: a short word takes 5 bytes of a request, and up to 120 of the plan that echoes it. */
const MAX_LARGE_BYTES = Math.min(64_000_000, getHeapStatistics().heap_size_limit / 64)
/** Up to this many bytes, a request never waits. */
const MAX_SMALL_BYTES = 4096
/** Time without a byte after which an upload has stalled. */
const STALL_MS = 5000
/** The checks within that time. Silence is counted in checks, because data may wait for an event loop that was busy. */
const STALL_CHECKS = 5
const STALLED = `The request did not arrive in time. Nothing came for ${STALL_MS / 1000} seconds, and other requests wait for its room.`

/** A request whose body has not arrived. */
interface Upload {
  /** The checks in a row for which nothing came, although it was read. */
  silentChecks: number
  refuse(): void
}

/** The room of a large request in memory: first for its body, then for its plan. */
export interface RequestRoom {
  /** Called when the body has arrived. */
  receive(): void
  /** Called when the request was decided, and again when its plan goes on because the client reads: the plan takes the room. */
  hold(planBytes: number): void
  /** Called when the answer is sent, or waits for its time. */
  release(): void
}

/**
 * True if a request may take room: its body is longer than a small one, or its length is not known.
 * @param maxBytes the longest body that is read.
 */
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
  /** The timer that refuses stalled uploads; undefined while nothing is being read. */
  #stallTimer: ReturnType<typeof setInterval> | undefined
  /** The memory of all large requests. */
  #bytes = 0
  /** The part of `#bytes` of requests that have arrived, and of their plans: it becomes free without more to read. */
  #heldBytes = 0
  /** True if the memory was above the bound at the last update. */
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
    let phase: 'arriving' | 'held' | 'released' = 'arriving'
    // The memory of this request.
    let bytes = 0
    const take = (more: number): void => {
      bytes += more
      this.#bytes += more
      if (phase === 'held') this.#heldBytes += more
      this.#update()
    }
    const release = (): void => {
      if (phase === 'released') return
      // The rest of a body that is too large is discarded.
      if (this.#reading.delete(request)) request.resume()
      take(-bytes)
      phase = 'released'
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
    this.#stallTimer ??= setInterval(() => this.#refuseStalled(), this.#stallMs / STALL_CHECKS).unref()
    if (this.#isFull) this.#update()
    request.on('data', ({ length }: Buffer) => {
      upload.silentChecks = 0
      if (phase === 'arriving') take(length)
    })
    // A body that has arrived stays in memory until its call is decided, even if its client leaves before.
    response.once('close', () => {
      if (phase === 'arriving') release()
    })
    return {
      receive: () => {
        if (phase !== 'arriving') return
        if (this.#reading.delete(request)) request.resume()
        phase = 'held'
        this.#heldBytes += bytes
        this.#update()
      },
      hold: (planBytes) => {
        if (phase !== 'released') take(planBytes - bytes)
      },
      release,
    }
  }

  /** Refuses uploads for which nothing came, to make room for those that wait. */
  #refuseStalled(): void {
    // Another request starts the timer again.
    if (this.#reading.size === 0) {
      clearInterval(this.#stallTimer)
      this.#stallTimer = undefined
    }
    for (const [request, upload] of this.#reading) if (!request.isPaused()) upload.silentChecks++
    if (!this.#isFull || this.#reading.size < 2) return
    for (const { silentChecks, refuse } of [...this.#reading.values()]) if (silentChecks >= STALL_CHECKS) refuse()
  }

  /** Pauses and resumes uploads: all of them are read while there is room, otherwise at most the first one. */
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
