/**
 * Begins calls: most at once, and those that take time later, such as one with shared limits, whose store is asked.
 *
 * The calls of a key, or of one session of it, are begun in the order in which they arrived: later ones wait for one that
 * takes time. Other calls do not wait. A client that leaves meanwhile changes nothing: its call is decided and recorded.
 */

import type { Call } from '../../core/decide/call/call-context.ts'
import { identify } from '../../core/decide/call/identity.ts'
import type { SessionId } from '../../core/decide/state/session-id.ts'
import { fakeTimers } from '../clock/clock.ts'

/** Ways to begin a call. */
interface Beginner<Begun> {
  begin(call: Call): Begun
  beginLater(call: Call): Promise<Begun>
  /** True if a call has to be begun later. */
  takesTime(call: Call): boolean
}

export class CallQueue<Begun> {
  readonly #beginner: Beginner<Begun>
  /** The last of the calls of each key or session that are not begun yet. */
  readonly #last = new Map<SessionId, Promise<void>>()

  constructor(beginner: Beginner<Begun>) {
    this.#beginner = beginner
  }

  /** Calls `begun` or `failed`: before it returns, or after the calls of the same session that came before. */
  add(call: Call, begun: (begun: Begun) => void, failed: (error: unknown) => void): void {
    const before = this.#last.size === 0 ? undefined : this.#last.get(identify(call).sessionId)
    // A test that has faked the timers moves time itself, and may do so before a promise has settled.
    if (before === undefined && (fakeTimers() !== undefined || !this.#beginner.takesTime(call))) {
      let made: Begun
      try {
        made = this.#beginner.begin(call)
      } catch (error) {
        return failed(error)
      }
      return begun(made)
    }
    const { sessionId } = identify(call)
    const settled = this.#beginAfter(before, call)
      .then(begun)
      .catch(failed)
      .finally(() => {
        if (this.#last.get(sessionId) === settled) this.#last.delete(sessionId)
      })
    this.#last.set(sessionId, settled)
  }

  async #beginAfter(before: Promise<void> | undefined, call: Call): Promise<Begun> {
    await before
    return this.#beginner.beginLater(call)
  }
}
