/**
 * Bounds the memory of large requests: beyond the bound, the next one is not read until others are decided.
 *
 * Small requests never wait. A request that waits is not read, so its client stops sending.
 */
import type { ServerResponse } from 'node:http'

const DEFAULT_LIMIT = 64_000_000
/** Up to this many bytes, a request never waits. */
const MAX_SMALL_BYTES = 65_536

export class LargeRequests {
  readonly #limit: number
  /** The requests that are not read yet, in order of arrival. */
  readonly #waiting = new Set<{ readonly bytes: number; readonly read: () => void }>()
  #bytes = 0

  /** @param limit the most bytes of the large requests that are being read or decided. Default: 64,000,000. */
  constructor(limit = DEFAULT_LIMIT) {
    this.#limit = limit
  }

  /**
   * Calls `read` when there is room for the request: at once for a small one. `read` gets a function to call when the
   * request was decided, unless it is small.
   * @param maxBytes the largest body that is read.
   */
  admit(response: ServerResponse, maxBytes: number, read: (decided?: () => void) => void): void {
    const { 'content-length': length, 'transfer-encoding': encoding } = response.req.headers
    const known = Number(length ?? 0)
    // As much as is allowed where the length is not known, and none where the body is refused unread.
    const bytes = encoding !== undefined ? maxBytes : known > maxBytes ? 0 : known
    if (bytes <= MAX_SMALL_BYTES) return read()
    let isHere = true
    const leave = (): void => {
      if (!isHere) return
      isHere = false
      if (!this.#waiting.delete(entry)) this.#bytes -= bytes
      this.#readNext()
    }
    const entry = { bytes, read: () => read(leave) }
    response.once('close', leave)
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
