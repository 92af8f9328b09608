/**
 * Notices clients that have sent FIN and left. A client that has sent FIN may still read its answer: only the reset that
 * follows two writes tells whether it has left.
 */

import type { ServerResponse } from 'node:http'
import { realDelay } from '../engine/index.ts'

/** The longest time without a write for which such a client counts as present. */
const MAX_SILENCE_MS = 1000
/** Time that is enough for a reset to arrive. */
const PROBE_MS = 20

/**
 * Breaks an answer that waits when its client has sent FIN and has left, unless the next write comes soon. Returns a
 * function to call at the beginning of each later wait.
 * @param silenceMs returns the real milliseconds until the next write; Infinity if no write will come.
 */
export function watchFin(response: ServerResponse, silenceMs: () => number): () => void {
  const { socket } = response.req
  const check = (): void => {
    // An answer without a socket waits for those before it on the connection, which are watched themselves.
    const hasSentFin = socket.readableEnded && socket.writable && response.socket !== null
    if (!hasSentFin) return
    const ms = silenceMs()
    // The next write tells soon enough.
    if (ms <= MAX_SILENCE_MS) return
    // HTTP/1.0 has no interim responses, and none may come after the head.
    const canProbe = !response.headersSent && ms < Number.POSITIVE_INFINITY && response.req.httpVersion === '1.1'
    if (canProbe) void probe(response)
    else socket.destroy()
  }
  // One listener for each answer that is queued on the connection.
  socket.setMaxListeners(0).once('end', check)
  response.once('close', () => socket.off('end', check))
  check()
  return check
}

/** Writes two interim responses, which every client has to ignore: after the first one, a client that has left sends a reset. */
async function probe(response: ServerResponse): Promise<void> {
  response.writeProcessing()
  await realDelay(PROBE_MS)
  if (!response.headersSent && !response.destroyed) response.writeProcessing()
}
