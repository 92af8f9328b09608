/** A clock that a test moves by hand: a minute, or a day, passes at once. */

import { parseDuration } from '../../core/lib/text/duration.ts'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import type { Clock } from './clock.ts'

/** Rounds of the event loop: after a wait has ended, client and stream may take a few until the next wait begins. */
const ROUNDS = 5

/** A pending call of `wake`. */
interface Wait {
  readonly time: number
  readonly run: () => void
}

/** A pending call of `waiting`. */
interface Watcher {
  readonly count: number
  readonly resolve: () => void
}

/**
 * A clock that is moved by hand.
 * @example
 * const mock = createMock('slow', { clock: 'manual' })
 * const answer = client.chat.completions.create(request)
 * await mock.clock.waiting()      // the call has arrived and waits for its first token
 * await mock.clock.advance('2s')
 */
export class ManualClock implements Clock {
  readonly speed = 1
  readonly isManual = true
  #now = 0
  /** Sorted by time; those of the same time in order of arrival. */
  #waits: Wait[] = []
  #watchers: Watcher[] = []
  /** The last call of `advance`. */
  #advancing: Promise<void> = Promise.resolve()

  now(): number {
    return this.#now
  }

  wake(time: number, run: () => void): () => void {
    const wait: Wait = { time, run }
    const firstLater = this.#waits.findIndex((other) => other.time > time)
    this.#waits.splice(firstLater === -1 ? this.#waits.length : firstLater, 0, wait)
    this.#tellWatchers()
    return () => {
      this.#waits = this.#waits.filter((other) => other !== wait)
    }
  }

  /**
   * Moves the time forward. Waits end in the order in which they are due, each at its own time; so do waits that begin
   * on the way. Resolves when nothing more is due. Several calls run one after another.
   * @param by a duration such as '60s', '1m30s' or '1d', or a number of milliseconds from 0.
   * @throws MockError `invalid-option` when `by` is not such a duration.
   */
  advance(by: string | number): Promise<void> {
    const ms = typeof by === 'string' ? parseDuration(by) : by
    if (typeof ms !== 'number' || !(ms >= 0 && ms < Number.POSITIVE_INFINITY)) {
      const shown = typeof by === 'string' ? `'${by}'` : String(by)
      throw new MockError(
        'invalid-option',
        `Failed to advance the clock: expected a duration such as '500ms', '60s' or '1m30s', or a number of milliseconds from 0, got ${shown}.`,
      )
    }
    this.#advancing = this.#advancing.then(() => this.#advance(ms))
    return this.#advancing
  }

  /**
   * Resolves when `count` waits are pending. Await it between sending a call and moving the time, because a call takes a
   * moment to arrive.
   * @param count from 1. Default: 1.
   */
  waiting(count = 1): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push({ count, resolve })
      this.#tellWatchers()
    })
  }

  async #advance(ms: number): Promise<void> {
    const end = this.#now + ms
    // Messages, because fake timers do not stop those.
    const { port1, port2 } = new MessageChannel()
    const settle = async (): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) {
        await new Promise<void>((resolve) => {
          port1.onmessage = () => resolve()
          port2.postMessage(undefined)
        })
      }
    }
    await settle()
    for (let next = this.#waits[0]; next !== undefined && next.time <= end; next = this.#waits[0]) {
      this.#waits.shift()
      this.#now = Math.max(this.#now, next.time)
      next.run()
      await settle()
    }
    this.#now = end
    port1.close()
  }

  #tellWatchers(): void {
    const isMet = ({ count }: Watcher): boolean => this.#waits.length >= count
    const met = this.#watchers.filter(isMet)
    this.#watchers = this.#watchers.filter((watcher) => !isMet(watcher))
    for (const { resolve } of met) resolve()
  }
}
