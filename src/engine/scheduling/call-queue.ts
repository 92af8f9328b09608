/**
 * Begins calls that take time, such as one with shared limits, whose store is asked, and those that came after them.
 *
 * The calls of a key, or of one session of it, are begun in the order in which they arrived: later ones wait for one that
 * takes time. Other calls do not wait. A client that leaves meanwhile changes nothing: its call is decided and recorded.
 */

import type { Call } from '../../core/decide/call/call-context.ts'
import { identify } from '../../core/decide/call/identity.ts'
import type { SessionId } from '../../core/decide/state/session-id.ts'

export class CallQueue<Begun> {
  readonly #begin: (call: Call) => Promise<Begun>
  /** The last of the calls of each key or session that are not begun yet. */
  readonly #last = new Map<SessionId, Promise<void>>()

  constructor(begin: (call: Call) => Promise<Begun>) {
    this.#begin = begin
  }

  /** True if a call of the same key or session is not begun yet. */
  precedes(call: Call): boolean {
    return this.#last.size > 0 && this.#last.has(identify(call).sessionId)
  }

  /** Calls `begun` or `failed` after the calls of the same session that came before. */
  add(call: Call, begun: (begun: Begun) => void, failed: (error: unknown) => void): void {
    const { sessionId } = identify(call)
    const before = this.#last.get(sessionId) ?? Promise.resolve()
    const settled = before
      .then(() => this.#begin(call))
      .then(begun)
      .catch(failed)
      .finally(() => {
        if (this.#last.get(sessionId) === settled) this.#last.delete(sessionId)
      })
    this.#last.set(sessionId, settled)
  }
}
